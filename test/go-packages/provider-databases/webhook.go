package main

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// serveWebhooks admits databases, and converts between their versions, since one is a hub and the other can be converted.
func serveWebhooks(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &Database{}).WithValidator(validator{}).Complete()
}

type validator struct{}

func (validator) ValidateCreate(_ context.Context, database *Database) (admission.Warnings, error) {
	if limit := database.Spec.ForProvider.ConnectionLimit; limit != nil && *limit < -1 {
		return nil, fmt.Errorf("a database cannot have %d connections: -1 is no limit", *limit)
	}
	return nil, nil
}

func (v validator) ValidateUpdate(ctx context.Context, _, database *Database) (admission.Warnings, error) {
	return v.ValidateCreate(ctx, database)
}

func (validator) ValidateDelete(context.Context, *Database) (admission.Warnings, error) {
	return nil, nil
}
