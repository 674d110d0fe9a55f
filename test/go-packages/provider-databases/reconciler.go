package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

const (
	finalizer    = "finalizer.managedresource.crossplane.io"
	externalName = "crossplane.io/external-name"
	fieldOwner   = client.FieldOwner("provider-databases")
	timeout      = time.Minute
)

var created = prometheus.NewCounter(prometheus.CounterOpts{Name: "databases_created_total", Help: "Databases that were made."})

func init() { metrics.Registry.MustRegister(created) }

type reconciler struct {
	client.Client
	events record.EventRecorder
	poll   time.Duration
}

func reconcileDatabases(manager ctrl.Manager, s settings) error {
	// Of the core group, as Crossplane's write them.
	events := manager.GetEventRecorderFor("managed/" + databaseDefinition) //nolint:staticcheck
	return ctrl.NewControllerManagedBy(manager).
		For(&Database{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: s.rate}).
		Complete(&reconciler{Client: manager.GetClient(), events: events, poll: s.poll})
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var database Database
	if err := r.Get(ctx, request.NamespacedName, &database); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	gone, err := r.settle(ctx, &database)
	if gone {
		return ctrl.Result{}, nil
	}
	if err != nil {
		database.say("Synced", "False", "ReconcileError", err.Error())
		r.events.Event(&database, corev1.EventTypeWarning, "CannotReconcile", err.Error())
		return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, &database))
	}
	database.say("Synced", "True", "ReconcileSuccess", "")
	return ctrl.Result{RequeueAfter: r.poll}, r.Status().Update(ctx, &database)
}

// settle makes the server as the database wants it; gone says that there is nothing left to report on.
func (r *reconciler) settle(ctx context.Context, database *Database) (gone bool, err error) {
	if database.Annotations[externalName] == "" {
		metav1.SetMetaDataAnnotation(&database.ObjectMeta, externalName, database.Name)
		if err := r.Update(ctx, database); err != nil {
			return false, err
		}
	}
	name := database.Annotations[externalName]
	if !database.DeletionTimestamp.IsZero() {
		return r.remove(ctx, database, name)
	}
	server, err := r.connect(ctx, database)
	if err != nil {
		return false, fmt.Errorf("connect failed: %w", err)
	}
	defer server.Close(context.WithoutCancel(ctx))
	if controllerutil.AddFinalizer(database, finalizer) {
		if err := r.Update(ctx, database); err != nil {
			return false, err
		}
	}
	details, err := r.publishedOf(ctx, database)
	if err != nil {
		return false, err
	}
	found, err := server.observe(ctx, name)
	if err != nil {
		return false, fmt.Errorf("observe failed: %w", err)
	}
	if !found.exists || details == nil {
		database.say("Ready", "False", "Creating", "")
		// Published before it counts: a password that nobody was told is made anew.
		details := server.detailsFor(name)
		if err := server.create(ctx, name, details["password"]); err != nil {
			return false, fmt.Errorf("create failed: %w", err)
		}
		if err := r.publish(ctx, database, details); err != nil {
			return false, fmt.Errorf("publish failed: %w", err)
		}
		if !found.exists {
			created.Inc()
			r.events.Event(database, corev1.EventTypeNormal, "CreatedExternalResource", "Successfully requested creation of external resource")
		}
		found.limit = -1
	}
	limit := int32(-1)
	if database.Spec.ForProvider.ConnectionLimit != nil {
		limit = *database.Spec.ForProvider.ConnectionLimit
	}
	if found.limit != limit {
		if err := server.limit(ctx, name, limit); err != nil {
			return false, fmt.Errorf("update failed: %w", err)
		}
	}
	database.Status.AtProvider.Owner = name
	database.say("Ready", "True", "Available", "")
	return false, nil
}

func (r *reconciler) remove(ctx context.Context, database *Database, name string) (bool, error) {
	if len(database.Finalizers) > 1 || !slices.Contains(database.Finalizers, finalizer) {
		return len(database.Finalizers) == 0, nil
	}
	if database.Spec.DeletionPolicy != "Orphan" {
		server, err := r.connect(ctx, database)
		if err != nil {
			return false, fmt.Errorf("connect failed: %w", err)
		}
		defer server.Close(context.WithoutCancel(ctx))
		if err := server.remove(ctx, name); err != nil {
			return false, fmt.Errorf("delete failed: %w", err)
		}
	}
	controllerutil.RemoveFinalizer(database, finalizer)
	return true, r.Update(ctx, database)
}

func (d *Database) say(kind, status, reason, message string) {
	at := slices.IndexFunc(d.Status.Conditions, func(c Condition) bool { return c.Type == kind })
	if at < 0 {
		d.Status.Conditions = append(d.Status.Conditions, Condition{Type: kind})
		at = len(d.Status.Conditions) - 1
	}
	condition := &d.Status.Conditions[at]
	if condition.Status != status {
		condition.Since = metav1.Now()
	}
	condition.Status, condition.Reason, condition.Message = status, reason, message
}
