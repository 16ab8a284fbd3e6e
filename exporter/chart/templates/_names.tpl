{{- define "outlive-exporter.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "outlive-exporter.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
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
{{- $limit := .Values.spool.sizeLimit -}}
{{- $number := regexFind "^[0-9]+" $limit | int64 -}}
{{- $unit := trimPrefix (regexFind "^[0-9]+" $limit) $limit -}}
{{- $factor := get (dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824) $unit | int64 -}}
{{- div (mul $number $factor 95) 100 -}}
{{- end -}}
