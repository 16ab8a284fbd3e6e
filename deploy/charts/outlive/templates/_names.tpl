{{- define "outlive.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{/* The name of the objects that belong to no namespace. */}}
{{- define "outlive.clusterName" -}}
{{ printf "%s-%s" .Release.Namespace (include "outlive.name" .) }}
{{- end -}}

{{/* Those of the Pods of one component: tracker, backup or test. */}}
{{- define "outlive.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "outlive.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "outlive.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "outlive.name" .) }}{{ else }}{{ required "serviceAccount.name is needed where none is created" .Values.serviceAccount.name }}{{ end -}}
{{- end -}}

{{- define "outlive.image" -}}
{{- $repository := required "Set image.repository to the name under which you pushed the image (docs/deploy/in-a-cluster.md)" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" $repository .Values.image.digest }}{{ else }}{{ printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) }}{{ end -}}
{{- end -}}

{{- define "outlive.tokenSecret" -}}
{{ .Values.token.existingSecret | default (printf "%s-token" (include "outlive.name" .)) }}
{{- end -}}

{{/* The files that the server reads when it starts: rules, kinds and log links. */}}
{{- define "outlive.files" -}}
{{- with .Values.rules }}
rules.json: {{ toJson . | quote }}
{{- end }}
{{- with .Values.kinds }}
kinds.json: {{ toJson . | quote }}
{{- end }}
{{- with .Values.logLinks }}
log-links.json: {{ dict "links" . | toJson | quote }}
{{- end }}
{{- end -}}

{{/* What every Pod of the chart has. */}}
{{- define "outlive.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
# Files of a volume that have the right owner are not visited again.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "outlive.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "outlive.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "outlive.dnsEgress" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ .Values.networkPolicy.dns.namespace | quote }}
      podSelector:
        matchLabels:
          {{- toYaml .Values.networkPolicy.dns.podLabels | nindent 10 }}
    {{- range .Values.networkPolicy.dns.cidrs }}
    - ipBlock:
        cidr: {{ . | quote }}
    {{- end }}
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end -}}

{{- define "outlive.outsideEgress" -}}
- ports:
    {{- range .Values.networkPolicy.egressPorts }}
    - protocol: TCP
      port: {{ . }}
    {{- end }}
{{- with .Values.networkPolicy.credentialsFrom }}
- to:
    {{- if has "pod-identity" . }}
    - ipBlock:
        cidr: 169.254.170.23/32
    {{- end }}
    {{- if has "instance-metadata" . }}
    - ipBlock:
        cidr: 169.254.169.254/32
    {{- end }}
  ports:
    - protocol: TCP
      port: 80
{{- end }}
{{- end -}}
