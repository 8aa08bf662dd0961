{{- define "gatehouse.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gatehouse.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "gatehouse.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "gatehouse.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "gatehouse.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{/* Secrets and keys as files. */}}
{{- define "gatehouse.env" -}}
{{- range .Values.secrets.settings }}
- { name: {{ . }}_FILE, value: /run/secrets/gatehouse/{{ . }} }
{{- end }}
- { name: SIGNING_KEYS_FILE, value: /run/secrets/keys/signing.json }
{{- if eq (default "local" .Values.settings.KMS) "local" }}
- { name: MASTER_KEYS_FILE, value: /run/secrets/keys/master.json }
{{- end }}
{{- end -}}

{{- define "gatehouse.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "gatehouse.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "gatehouse.volumeMounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/gatehouse, readOnly: true }
- { name: keys, mountPath: /run/secrets/keys, readOnly: true }
{{- end -}}

{{- define "gatehouse.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
- name: secrets
  secret: { secretName: {{ default .Values.secrets.name .secret }}, defaultMode: 0440 }
- name: keys
  secret: { secretName: {{ .Values.keys.name }}, defaultMode: 0440 }
{{- end -}}
