{{- define "outlive-exporter.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "outlive-exporter.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "outlive-exporter.labels" -}}
{{ include "outlive-exporter.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "outlive-exporter.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "outlive-exporter.name" .) }}{{ else }}{{ required "serviceAccount.name is needed where none is created" .Values.serviceAccount.name }}{{ end -}}
{{- end -}}

{{/* The spool is bounded by the exporter below the volume's limit: the kubelet evicts a Pod whose emptyDir is full. */}}
{{- define "outlive-exporter.spoolBytes" -}}
{{- div (mul (include "outlive-exporter.bytes" .Values.spool.sizeLimit) 95) 100 -}}
{{- end -}}

{{- define "outlive-exporter.bytes" -}}
{{- $number := regexFind "^[0-9]+" . -}}
{{- $factor := get (dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824) (trimPrefix $number .) | int64 -}}
{{- mul $number $factor -}}
{{- end -}}

{{/*
V8 sizes its heap by the machine's memory, not by the container's limit. With 100,000 Pods of Jobs, the old generation
needs about 95 MB and the process at most 256 MiB (bench/first-sync.ts, with the options for the default limit).
*/}}
{{- define "outlive-exporter.nodeOptions" -}}
{{- $memory := dig "limits" "memory" "320Mi" .Values.resources -}}
{{- $mebibytes := div (include "outlive-exporter.bytes" $memory) 1048576 -}}
--max-old-space-size={{ max 64 (sub $mebibytes 176) }} --max-semi-space-size=2
{{- end -}}

{{- define "outlive-exporter.image" -}}
{{- $repository := required "Set image.repository to the name under which you pushed the image (docs/deploy/image.md)" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" $repository .Values.image.digest }}{{ else }}{{ printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) }}{{ end -}}
{{- end -}}

{{/* The volumes with files of the audit webhook. Each sender must be authenticated: audit events prove who deleted. */}}
{{- define "outlive-exporter.auditFiles" -}}
{{- $files := list -}}
{{- with .Values.audit.webhook -}}
{{- if .enabled -}}
{{- if not (or .tokenSecret .tls.clientCaSecret) }}{{ fail "audit.webhook needs tokenSecret or tls.clientCaSecret" }}{{ end -}}
{{- if and .tls.clientCaSecret (not .tls.secret) }}{{ fail "audit.webhook.tls.clientCaSecret needs tls.secret" }}{{ end -}}
{{- if and .tls.clientName (not .tls.clientCaSecret) }}{{ fail "audit.webhook.tls.clientName needs tls.clientCaSecret" }}{{ end -}}
{{- if .tls.secret }}{{ $files = append $files (dict "name" "audit-tls" "secret" .tls.secret) }}{{ end -}}
{{- if .tls.clientCaSecret }}{{ $files = append $files (dict "name" "audit-client-ca" "secret" .tls.clientCaSecret) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toJson $files -}}
{{- end -}}
