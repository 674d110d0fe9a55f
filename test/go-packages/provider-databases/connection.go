package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// connect notes that the ProviderConfig is used, and goes where its Secret says. The Secret is read by list and watch, as all of controller-runtime
// reads unless it is told otherwise.
func (r *reconciler) connect(ctx context.Context, database *Database) (*postgresql, error) {
	name := "default"
	if ref := database.Spec.ProviderConfigRef; ref != nil {
		name = ref.Name
	}
	if err := r.use(ctx, database, name); err != nil {
		return nil, fmt.Errorf("cannot track the use of the ProviderConfig: %w", err)
	}
	var config ProviderConfig
	if err := r.Get(ctx, types.NamespacedName{Name: name}, &config); err != nil {
		return nil, err
	}
	ref := config.Spec.Credentials.SecretRef
	var secret corev1.Secret
	if err := r.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, &secret); err != nil {
		return nil, err
	}
	return openPostgresql(ctx, secret.Data)
}

func (r *reconciler) use(ctx context.Context, database *Database, config string) error {
	usage := &ProviderConfigUsage{ConfigRef: Reference{Name: config}}
	usage.Name = string(database.UID)
	usage.Labels = map[string]string{"crossplane.io/provider-config": config}
	usage.ResourceRef.APIVersion, usage.ResourceRef.Kind = stored.String(), "Database"
	usage.ResourceRef.Name, usage.ResourceRef.UID = database.Name, string(database.UID)
	if err := controllerutil.SetControllerReference(database, usage, r.Scheme()); err != nil {
		return err
	}
	var found ProviderConfigUsage
	err := r.Get(ctx, client.ObjectKeyFromObject(usage), &found)
	if apierrors.IsNotFound(err) {
		return client.IgnoreAlreadyExists(r.Create(ctx, usage))
	}
	if err != nil || found.ConfigRef == usage.ConfigRef {
		return err
	}
	usage.ResourceVersion = found.ResourceVersion
	return r.Update(ctx, usage)
}

// publishedOf answers what was published of a database; nil when nothing was, and it is to be.
func (r *reconciler) publishedOf(ctx context.Context, database *Database) (map[string][]byte, error) {
	ref := database.Spec.WriteSecretTo
	if ref == nil {
		return map[string][]byte{}, nil
	}
	var secret corev1.Secret
	err := r.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, &secret)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err == nil && !metav1.IsControlledBy(&secret, database) {
		err = fmt.Errorf("the Secret %s/%s is not of this database", ref.Namespace, ref.Name)
	}
	return secret.Data, err
}

func (r *reconciler) publish(ctx context.Context, database *Database, details map[string]string) error {
	ref := database.Spec.WriteSecretTo
	if ref == nil {
		return nil
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: ref.Namespace, Name: ref.Name},
		Type:       "connection.crossplane.io/v1alpha1",
	}
	if err := controllerutil.SetControllerReference(database, secret, r.Scheme()); err != nil {
		return err
	}
	wanted := map[string][]byte{}
	for key, value := range details {
		wanted[key] = []byte(value)
	}
	secret.Data = wanted
	err := r.Create(ctx, secret, fieldOwner)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	return r.Patch(ctx, secret, client.Merge, fieldOwner)
}
