package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	widgetCount = 20
	leaseName   = "widget-controller"
	soon        = 20 * time.Second
	// The real garbage collector looks for new kinds every 30 seconds only.
	collected = 75 * time.Second
)

type scenario struct {
	*checks
	typed     kubernetes.Interface
	crds      apiextensions.Interface
	namespace string
	// live reads from the server, cached from the manager's informers.
	live   client.Reader
	cached client.Client
	// protobufSecrets counts Secrets that were sent as protobuf.
	protobufSecrets atomic.Int32
}

func runScenario(ctx context.Context, results *checks, expectGC bool) {
	s := &scenario{checks: results}
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(addWidgets(scheme))

	config, err := ctrl.GetConfig()
	if err == nil {
		err = s.connect(ctx, config)
	}
	results.run("connect", func() error { return err })
	if err != nil {
		return
	}
	defer s.cleanUp(ctx, expectGC)

	results.run("crd-established", func() error { return s.installCRD(ctx) })
	stop, err := s.startManager(ctx, config, scheme)
	results.run("manager-starts", func() error { return err })
	if err != nil {
		return
	}
	results.run("leader-election-lease-held", func() error { return s.leaseHolder(ctx, true) })
	s.creation(ctx)
	s.change(ctx)
	s.deletion(ctx, expectGC)
	results.run("manager-stops", stop)
	results.run("leader-election-lease-released", func() error { return s.leaseHolder(ctx, false) })
}

func (s *scenario) widget(i int) *Widget {
	return &Widget{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("widget-%02d", i), Namespace: s.namespace},
		Spec:       WidgetSpec{Color: []string{"red", "green", "blue"}[i%3]},
	}
}

func (s *scenario) creation(ctx context.Context) {
	s.run("schema-refuses", func() error {
		for want, spec := range map[string]WidgetSpec{
			"spec.color: Unsupported value":    {Color: "pink"},
			"a red widget has at most size 10": {Color: "red", Size: 11},
		} {
			bad := s.widget(0)
			bad.Spec = spec
			if err := s.cached.Create(ctx, bad); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), want) {
				return fmt.Errorf("want Invalid with %q, got %v", want, err)
			}
		}
		return nil
	})
	s.run("create-widgets", func() error {
		for i := range widgetCount {
			widget := s.widget(i)
			if err := s.cached.Create(ctx, widget); err != nil {
				return err
			}
			if widget.Spec.Size != 3 || widget.Generation != 1 {
				return fmt.Errorf("%s: size %d (default 3), generation %d", widget.Name, widget.Spec.Size, widget.Generation)
			}
		}
		return nil
	})
	s.run("widgets-ready", func() error {
		return eventually(ctx, soon, s.allReady)
	})
	s.run("configmaps-applied", func() error {
		for i := range widgetCount {
			if err := s.configMapMatches(ctx, s.live, s.widget(i).Name); err != nil {
				return err
			}
		}
		return nil
	})
	s.run("secrets-created-by-protobuf", func() error {
		list, err := s.typed.CoreV1().Secrets(s.namespace).List(ctx, metav1.ListOptions{LabelSelector: "widget"})
		if err != nil {
			return err
		}
		if len(list.Items) != widgetCount || s.protobufSecrets.Load() != widgetCount {
			return fmt.Errorf("%d secrets, %d sent as protobuf", len(list.Items), s.protobufSecrets.Load())
		}
		for _, secret := range list.Items {
			if string(secret.Data["binary"]) != "\x00\xff\x80" {
				return fmt.Errorf("%s: data %v", secret.Name, secret.Data)
			}
		}
		return nil
	})
	s.run("events-recorded", func() error {
		return eventually(ctx, soon, func(ctx context.Context) error {
			for i := range widgetCount {
				if err := s.eventRecorded(ctx, s.widget(i).Name); err != nil {
					return err
				}
			}
			return nil
		})
	})
	s.run("printer-columns", func() error { return s.printerColumns(ctx) })
}

func (s *scenario) change(ctx context.Context) {
	name := s.widget(1).Name
	key := client.ObjectKey{Namespace: s.namespace, Name: name}
	follows := func(ctx context.Context) error { return s.configMapMatches(ctx, s.live, name) }

	s.run("configmap-follows-edit", func() error {
		widget := &Widget{}
		if err := s.live.Get(ctx, key, widget); err != nil {
			return err
		}
		before := client.MergeFrom(widget.DeepCopyObject().(*Widget))
		widget.Spec.Size = 42
		if err := s.cached.Patch(ctx, widget, before); err != nil {
			return err
		}
		if widget.Generation != 2 {
			return fmt.Errorf("generation %d", widget.Generation)
		}
		if err := eventually(ctx, soon, follows); err != nil {
			return err
		}
		return eventually(ctx, soon, s.allReady)
	})
	s.run("configmap-drift-corrected", func() error {
		config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name}}
		drift := client.RawPatch("application/merge-patch+json", []byte(`{"data":{"color":"pink"}}`))
		if err := s.cached.Patch(ctx, config, drift); err != nil {
			return err
		}
		if config.Data["color"] != "pink" {
			return fmt.Errorf("patch answered %v", config.Data)
		}
		return eventually(ctx, soon, follows)
	})
	s.run("configmap-recreated", func() error {
		old := &corev1.ConfigMap{}
		if err := s.live.Get(ctx, key, old); err != nil {
			return err
		}
		if err := s.cached.Delete(ctx, old, client.Preconditions{UID: &old.UID}); err != nil {
			return err
		}
		return eventually(ctx, soon, func(ctx context.Context) error {
			config := &corev1.ConfigMap{}
			if err := s.live.Get(ctx, key, config); err != nil {
				return err
			}
			if config.UID == old.UID {
				return errors.New("still the old one")
			}
			return follows(ctx)
		})
	})
}

func (s *scenario) deletion(ctx context.Context, expectGC bool) {
	s.run("delete-widgets", func() error {
		return s.cached.DeleteAllOf(ctx, &Widget{}, client.InNamespace(s.namespace))
	})
	s.run("finalizers-run", func() error {
		return eventually(ctx, soon, func(ctx context.Context) error {
			widgets := &WidgetList{}
			if err := s.live.List(ctx, widgets, client.InNamespace(s.namespace)); err != nil {
				return err
			}
			secrets, err := s.typed.CoreV1().Secrets(s.namespace).List(ctx, metav1.ListOptions{LabelSelector: "widget"})
			if err != nil {
				return err
			}
			if len(widgets.Items)+len(secrets.Items) > 0 {
				return fmt.Errorf("%d widgets and %d secrets left", len(widgets.Items), len(secrets.Items))
			}
			return nil
		})
	})
	if !expectGC {
		return
	}
	s.run("configmaps-collected", func() error {
		return eventually(ctx, collected, s.noOwnedConfigMaps)
	})
	s.run("foreground-deletion", func() error {
		widget := s.widget(0)
		if err := s.cached.Create(ctx, widget); err != nil {
			return err
		}
		key := client.ObjectKeyFromObject(widget)
		applied := func(ctx context.Context) error { return s.configMapMatches(ctx, s.live, widget.Name) }
		if err := eventually(ctx, soon, applied); err != nil {
			return err
		}
		if err := s.cached.Delete(ctx, widget, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
			return err
		}
		err := eventually(ctx, soon, func(ctx context.Context) error {
			err := s.live.Get(ctx, key, &Widget{})
			if err == nil {
				return errors.New("the widget is still there")
			}
			return client.IgnoreNotFound(err)
		})
		if err != nil {
			return err
		}
		// In the foreground: the dependents went first.
		return s.noOwnedConfigMaps(ctx)
	})
}

// cleanUp is checked too: it is what the server does when an application goes.
func (s *scenario) cleanUp(ctx context.Context, expectGC bool) {
	s.run("crd-deleted", func() error {
		crds := s.crds.ApiextensionsV1().CustomResourceDefinitions()
		if err := crds.Delete(ctx, crdName, metav1.DeleteOptions{}); err != nil {
			return err
		}
		return eventually(ctx, soon, func(ctx context.Context) error {
			_, err := crds.Get(ctx, crdName, metav1.GetOptions{})
			return wantNotFound(err)
		})
	})
	namespaces := s.typed.CoreV1().Namespaces()
	if !expectGC {
		// Best effort: without controllers the namespace stays in Terminating.
		_ = namespaces.Delete(ctx, s.namespace, metav1.DeleteOptions{})
		return
	}
	s.run("namespace-deleted", func() error {
		if err := namespaces.Delete(ctx, s.namespace, metav1.DeleteOptions{}); err != nil {
			return err
		}
		return eventually(ctx, collected, func(ctx context.Context) error {
			_, err := namespaces.Get(ctx, s.namespace, metav1.GetOptions{})
			return wantNotFound(err)
		})
	})
}

func wantNotFound(err error) error {
	if err == nil {
		return errors.New("still there")
	}
	return client.IgnoreNotFound(err)
}
