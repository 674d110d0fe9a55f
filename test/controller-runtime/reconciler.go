package main

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	metav1apply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const fieldOwner = client.FieldOwner("widget-controller")

// widgetReconciler keeps two objects for a Widget, in the two ways controllers
// do it: an owned ConfigMap by server-side apply, left to the garbage
// collector, and a Secret by a typed client, removed by a finalizer.
type widgetReconciler struct {
	client.Client
	typed  kubernetes.Interface
	events events.EventRecorder
}

func (r *widgetReconciler) setup(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&Widget{}).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Complete(r)
}

func (r *widgetReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := &Widget{}
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		if err := r.Update(ctx, widget); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.applyConfigMap(ctx, widget); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.createSecret(ctx, widget); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, widget)
}

func (r *widgetReconciler) applyConfigMap(ctx context.Context, widget *Widget) error {
	owner := metav1apply.OwnerReference().
		WithAPIVersion(groupVersion.String()).
		WithKind("Widget").
		WithName(widget.Name).
		WithUID(widget.UID).
		WithController(true).
		WithBlockOwnerDeletion(true)
	config := corev1apply.ConfigMap(widget.Name, widget.Namespace).
		WithOwnerReferences(owner).
		WithData(map[string]string{"color": widget.Spec.Color, "size": strconv.Itoa(int(widget.Spec.Size))})
	return r.Apply(ctx, config, fieldOwner, client.ForceOwnership)
}

func (r *widgetReconciler) createSecret(ctx context.Context, widget *Widget) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: widget.Name, Labels: map[string]string{"widget": widget.Name}},
		Type:       corev1.SecretTypeOpaque,
		Data:       map[string][]byte{"uid": []byte(widget.UID), "binary": {0, 0xff, 0x80}},
	}
	_, err := r.typed.CoreV1().Secrets(widget.Namespace).Create(ctx, secret, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func (r *widgetReconciler) report(ctx context.Context, widget *Widget) error {
	changed := meta.SetStatusCondition(&widget.Status.Conditions, metav1.Condition{
		Type:               conditionReady,
		Status:             metav1.ConditionTrue,
		Reason:             "Applied",
		Message:            fmt.Sprintf("size %d", widget.Spec.Size),
		ObservedGeneration: widget.Generation,
	})
	if !changed && widget.Status.ObservedGeneration == widget.Generation {
		return nil
	}
	widget.Status.ObservedGeneration = widget.Generation
	if err := r.Status().Update(ctx, widget); err != nil {
		return err
	}
	r.events.Eventf(widget, nil, corev1.EventTypeNormal, "Applied", "Apply", "generation %d applied", widget.Generation)
	return nil
}

func (r *widgetReconciler) finalize(ctx context.Context, widget *Widget) error {
	if !controllerutil.ContainsFinalizer(widget, finalizer) {
		return nil
	}
	err := r.typed.CoreV1().Secrets(widget.Namespace).Delete(ctx, widget.Name, metav1.DeleteOptions{})
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(widget, finalizer)
	return client.IgnoreNotFound(r.Update(ctx, widget))
}
