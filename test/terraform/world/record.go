package world

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/miekg/dns"

	"weft.dev/test/terraform/described"
)

// Record is an address or a text in a zone, changed by updates that are signed. Its id is zone/name/type.
var Record = described.Kind{
	Name: "record",
	Fields: []described.Field{
		{Name: "zone", Required: true, Replaces: true},
		{Name: "name", Required: true, Replaces: true},
		{Name: "type", Required: true, Replaces: true},
		{Name: "seconds", Number: true, Required: true},
		{Name: "data", Required: true},
	},
	Renamed: map[string]string{"seconds": "ttl"},
	Create: func(ctx context.Context, system described.System, values described.Values) (string, error) {
		id := strings.Join([]string{values["zone"], values["name"], values["type"]}, "/")
		found, err := readRecord(ctx, system, id)
		if err != nil || found != nil {
			return "", fmt.Errorf("%s is there already, or cannot be looked for: %v", id, err)
		}
		return id, change(ctx, system, id, values)
	},
	Read:   readRecord,
	Update: change,
	Delete: func(ctx context.Context, system described.System, id string) error {
		return change(ctx, system, id, nil)
	},
}

func parts(id string) (zone, name, sort string) {
	all := strings.SplitN(id, "/", 3)
	for len(all) < 3 {
		all = append(all, "")
	}
	return all[0], all[1], all[2]
}

func readRecord(ctx context.Context, system described.System, id string) (described.Values, error) {
	zone, name, sort := parts(id)
	question := new(dns.Msg)
	question.SetQuestion(dns.Fqdn(name+"."+zone), dns.StringToType[sort])
	answer, _, err := new(dns.Client).ExchangeContext(ctx, question, system.(*System).settings["dns"])
	if err != nil {
		return nil, err
	}
	if answer.Rcode != dns.RcodeSuccess && answer.Rcode != dns.RcodeNameError {
		return nil, fmt.Errorf("the server answers %s", dns.RcodeToString[answer.Rcode])
	}
	for _, record := range answer.Answer {
		data := strings.TrimPrefix(record.String(), record.Header().String())
		return described.Values{
			"zone": zone, "name": name, "type": sort,
			"seconds": strconv.Itoa(int(record.Header().Ttl)), "data": strings.Trim(data, `"`),
		}, nil
	}
	return nil, nil
}

// change replaces all that there is of the name and type; with no values it goes.
func change(ctx context.Context, system described.System, id string, values described.Values) error {
	settings := system.(*System).settings
	zone, name, sort := parts(id)
	full := dns.Fqdn(name + "." + zone)
	update := new(dns.Msg)
	update.SetUpdate(dns.Fqdn(zone))
	update.RemoveRRset([]dns.RR{&dns.ANY{Hdr: dns.RR_Header{Name: full, Rrtype: dns.StringToType[sort], Class: dns.ClassINET}}})
	if values != nil {
		record, err := dns.NewRR(fmt.Sprintf("%s %s IN %s %s", full, values["seconds"], sort, values["data"]))
		if err != nil {
			return err
		}
		update.Insert([]dns.RR{record})
	}
	update.SetTsig("weft.", dns.HmacSHA256, 300, time.Now().Unix())
	client := &dns.Client{Net: "tcp", TsigSecret: map[string]string{"weft.": settings["dns_key"]}}
	answer, _, err := client.ExchangeContext(ctx, update, settings["dns"])
	if err != nil {
		return err
	}
	if answer.Rcode != dns.RcodeSuccess {
		return fmt.Errorf("the server answers %s", dns.RcodeToString[answer.Rcode])
	}
	return nil
}
