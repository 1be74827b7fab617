{{- define "pgveil.labels" -}}
app.kubernetes.io/name: pgveil
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "pgveil.selector" -}}
app.kubernetes.io/name: pgveil
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
