package main

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// startWhenServed calls start once, as soon as the definition is established: the program may run before any of its kinds is there.
func startWhenServed(manager ctrl.Manager, definition string, start func() error) error {
	started := false
	return ctrl.NewControllerManagedBy(manager).Named("gate").For(&apiextensionsv1.CustomResourceDefinition{}).Complete(
		reconcilerFunc(func(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
			if started || request.Name != definition {
				return ctrl.Result{}, nil
			}
			var found apiextensionsv1.CustomResourceDefinition
			if err := manager.GetClient().Get(ctx, request.NamespacedName, &found); err != nil {
				return ctrl.Result{}, client.IgnoreNotFound(err)
			}
			for _, condition := range found.Status.Conditions {
				if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
					started = true
					ctrl.LoggerFrom(ctx).Info("a kind is served", "definition", definition)
					return ctrl.Result{}, start()
				}
			}
			return ctrl.Result{}, nil
		}))
}

type reconcilerFunc func(context.Context, ctrl.Request) (ctrl.Result, error)

func (f reconcilerFunc) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	return f(ctx, request)
}
