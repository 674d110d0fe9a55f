package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func (s *scenario) connect(ctx context.Context, config *rest.Config) error {
	// Nothing but protobuf, in both directions: what is built in has no excuse.
	typed := rest.CopyConfig(config)
	typed.ContentType = runtime.ContentTypeProtobuf
	typed.AcceptContentTypes = runtime.ContentTypeProtobuf
	typed.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			answer, err := next.RoundTrip(request)
			if err == nil && request.Method == http.MethodPost && strings.HasSuffix(request.URL.Path, "/secrets") &&
				request.Header.Get("Content-Type") == runtime.ContentTypeProtobuf && answer.StatusCode == http.StatusCreated &&
				answer.Header.Get("Content-Type") == runtime.ContentTypeProtobuf {
				s.protobufSecrets.Add(1)
			}
			return answer, err
		})
	})
	var err error
	if s.typed, err = kubernetes.NewForConfig(typed); err != nil {
		return err
	}
	if s.crds, err = apiextensions.NewForConfig(typed); err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "widgets-"}}
	created, err := s.typed.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	if err == nil {
		s.namespace = created.Name
	}
	return err
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func (s *scenario) installCRD(ctx context.Context) error {
	crds := s.crds.ApiextensionsV1().CustomResourceDefinitions()
	_, err := crds.Create(ctx, widgetCRD(), metav1.CreateOptions{})
	// One may be there from an earlier run that was killed.
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return eventually(ctx, soon, func(ctx context.Context) error {
		crd, err := crds.Get(ctx, crdName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range crd.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("conditions %v", crd.Status.Conditions)
	})
}

// startManager answers once the manager leads and its caches are filled, with
// a function that stops it.
func (s *scenario) startManager(ctx context.Context, config *rest.Config, scheme *runtime.Scheme) (func() error, error) {
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              leaseName,
		LeaderElectionNamespace:       s.namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, err
	}
	s.live, s.cached = manager.GetAPIReader(), manager.GetClient()
	reconciler := &widgetReconciler{
		Client: s.cached, typed: s.typed, events: manager.GetEventRecorder("demo.weft.dev/widget-controller"),
	}
	if err := reconciler.setup(manager); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	stop := func() error {
		cancel()
		return <-ended
	}
	select {
	case <-manager.Elected():
	case err := <-ended:
		cancel()
		return nil, errors.Join(errors.New("ended early"), err)
	case <-time.After(soon):
		cancel()
		return nil, errors.New("not elected in time")
	}
	syncing, cancelSyncing := context.WithTimeout(ctx, soon)
	defer cancelSyncing()
	if !manager.GetCache().WaitForCacheSync(syncing) {
		cancel()
		return nil, errors.New("caches not filled in time")
	}
	return stop, nil
}
