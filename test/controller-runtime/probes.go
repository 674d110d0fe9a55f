package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Each probe looks once; eventually repeats it.

func (s *scenario) allReady(ctx context.Context) error {
	list := &WidgetList{}
	if err := s.cached.List(ctx, list, client.InNamespace(s.namespace)); err != nil {
		return err
	}
	ready := 0
	for _, widget := range list.Items {
		current := widget.Status.ObservedGeneration == widget.Generation
		if current && meta.IsStatusConditionTrue(widget.Status.Conditions, conditionReady) {
			ready++
		}
	}
	if ready != widgetCount {
		return fmt.Errorf("%d of %d ready", ready, widgetCount)
	}
	return nil
}

func (s *scenario) configMapMatches(ctx context.Context, reader client.Reader, name string) error {
	key := client.ObjectKey{Namespace: s.namespace, Name: name}
	widget, config := &Widget{}, &corev1.ConfigMap{}
	if err := reader.Get(ctx, key, widget); err != nil {
		return err
	}
	if err := reader.Get(ctx, key, config); err != nil {
		return err
	}
	if !metav1.IsControlledBy(config, widget) {
		return fmt.Errorf("%s: owners %v", name, config.OwnerReferences)
	}
	if config.Data["color"] != widget.Spec.Color || config.Data["size"] != fmt.Sprint(widget.Spec.Size) {
		return fmt.Errorf("%s: data %v, spec %v", name, config.Data, widget.Spec)
	}
	for _, entry := range config.ManagedFields {
		if entry.Manager == string(fieldOwner) && entry.Operation == metav1.ManagedFieldsOperationApply {
			return nil
		}
	}
	return fmt.Errorf("%s: not managed by an apply of %s", name, fieldOwner)
}

func (s *scenario) eventRecorded(ctx context.Context, widget string) error {
	// Written as events.k8s.io, read as core: the server keeps one store.
	selector := fields.Set{"involvedObject.kind": "Widget", "involvedObject.name": widget, "reason": "Applied"}
	list, err := s.typed.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{FieldSelector: selector.String()})
	if err != nil {
		return err
	}
	if len(list.Items) == 0 {
		return fmt.Errorf("no event of %s", widget)
	}
	return nil
}

func (s *scenario) printerColumns(ctx context.Context) error {
	body, err := s.typed.Discovery().RESTClient().Get().
		AbsPath("apis", groupVersion.Group, groupVersion.Version, "namespaces", s.namespace, "widgets").
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").
		Do(ctx).Raw()
	if err != nil {
		return err
	}
	table := &metav1.Table{}
	if err := json.Unmarshal(body, table); err != nil {
		return err
	}
	columns := []string{}
	for _, column := range table.ColumnDefinitions {
		columns = append(columns, column.Name)
	}
	if got := strings.Join(columns, " "); got != "Name Color Size Ready Age" {
		return fmt.Errorf("columns %s", got)
	}
	if len(table.Rows) != widgetCount {
		return fmt.Errorf("%d rows", len(table.Rows))
	}
	if got := fmt.Sprint(table.Rows[0].Cells[:4]); got != "[widget-00 red 3 True]" {
		return fmt.Errorf("first row %s", got)
	}
	return nil
}

func (s *scenario) leaseHolder(ctx context.Context, held bool) error {
	lease, err := s.typed.CoordinationV1().Leases(s.namespace).Get(ctx, leaseName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	holder := ""
	if lease.Spec.HolderIdentity != nil {
		holder = *lease.Spec.HolderIdentity
	}
	if (holder != "") != held {
		return fmt.Errorf("holder %q", holder)
	}
	if held && (lease.Spec.RenewTime == nil || lease.Spec.RenewTime.IsZero()) {
		return errors.New("no renewTime")
	}
	return nil
}

func (s *scenario) noOwnedConfigMaps(ctx context.Context) error {
	list := &corev1.ConfigMapList{}
	if err := s.live.List(ctx, list, client.InNamespace(s.namespace)); err != nil {
		return err
	}
	owned := 0
	for i := range list.Items {
		if metav1.GetControllerOf(&list.Items[i]) != nil {
			owned++
		}
	}
	if owned > 0 {
		return fmt.Errorf("%d owned ConfigMaps left", owned)
	}
	return nil
}
