{{/* Names of objects: that of the release, and of the chart where the release has another one. */}}
{{- define "scribed.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "scribed.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "scribed.labels" -}}
{{ include "scribed.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "scribed.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "scribed.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end }}

{{- define "scribed.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ .root.Values.image.repository }}:{{ .tag }}
{{- end }}

{{/* The component of the pods that clients reach: gateways, or else workers, which accept then. */}}
{{- define "scribed.front" -}}
{{- if .Values.gateway.enabled }}gateway{{ else }}worker{{ end -}}
{{- end }}

{{/* The variable of a setting: jobs.max_waiting is SCRIBED_JOBS_MAX_WAITING. */}}
{{- define "scribed.variable" -}}
SCRIBED_{{ . | replace "." "_" | upper }}
{{- end }}

{{/* The value of a variable. Helm reads every number as a float, which would print 1e+06. */}}
{{- define "scribed.value" -}}
{{- if kindIs "slice" . -}}
{{- join "," . -}}
{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- printf "%.0f" . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end }}

{{/* The names by which clients may call it. */}}
{{- define "scribed.hosts" -}}
{{- $service := include "scribed.fullname" . -}}
{{- $hosts := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- if .Values.ingress.enabled }}{{ range .Values.ingress.hosts }}{{ $hosts = append $hosts .host }}{{ end }}{{ end -}}
{{- join "," (concat $hosts .Values.allowedHosts | uniq) -}}
{{- end }}

{{- define "scribed.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "scribed.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "scribed.databaseVariable" -}}
- name: SCRIBED_DATABASE
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
{{- end }}

{{/* What gateways and workers have in common. `role` is that of the daemon, `pool` may be missing. */}}
{{- define "scribed.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
serviceAccountName: {{ include "scribed.serviceAccount" $root }}
automountServiceAccountToken: false
# Longer than server.drain_s, in which requests may end.
terminationGracePeriodSeconds: {{ add $values.drainSeconds 10 }}
securityContext:
  {{- include "scribed.podSecurity" $root | nindent 2 }}
{{- with $values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
containers:
  - name: scribed
    image: {{ include "scribed.image" (dict "root" $root "tag" .tag) | quote }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: [serve, --role, {{ .role }}]
    securityContext:
      {{- include "scribed.containerSecurity" $root | nindent 6 }}
    envFrom:
      - configMapRef:
          name: {{ include "scribed.fullname" $root }}
    env:
      {{- include "scribed.databaseVariable" $root | nindent 6 }}
      {{- if $values.objects.url }}
      - name: AWS_ACCESS_KEY_ID
        valueFrom:
          secretKeyRef:
            name: {{ $values.objects.existingSecret }}
            key: {{ $values.objects.accessKeyIdKey }}
      - name: AWS_SECRET_ACCESS_KEY
        valueFrom:
          secretKeyRef:
            name: {{ $values.objects.existingSecret }}
            key: {{ $values.objects.secretAccessKeyKey }}
      {{- end }}
      {{- range .variables }}
      - name: {{ .name }}
        value: {{ .value | quote }}
      {{- end }}
    ports:
      - name: http
        containerPort: 8080
    # Neither asks for the database or a model: a restart would mend neither.
    startupProbe:
      httpGet: {path: /livez, port: http}
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: {path: /livez, port: http}
      periodSeconds: 10
      failureThreshold: 3
      timeoutSeconds: 5
    readinessProbe:
      httpGet: {path: /readyz, port: http}
      periodSeconds: 5
      timeoutSeconds: 5
    {{- if .isFront }}
    # The endpoints are told first, so that no new request comes.
    lifecycle:
      preStop:
        exec:
          command: [sleep, "5"]
    {{- end }}
    {{- with .resources }}
    resources:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    volumeMounts:
      - {name: state, mountPath: /var/lib/scribed/state}
      - {name: cache, mountPath: /var/lib/scribed/cache}
      - {name: tmp, mountPath: /tmp}
      {{- if and .hasModels (not $values.models.fromImage) }}
      - {name: models, mountPath: /var/lib/scribed/models}
      {{- end }}
      {{- if $values.inputs.existingClaim }}
      - {name: inputs, mountPath: /srv/scribed}
      {{- end }}
      {{- if $values.keys.existingSecret }}
      - {name: keys, mountPath: /etc/scribed/secrets/keys, readOnly: true}
      {{- end }}
      {{- if $values.webhooks.existingSecret }}
      - {name: webhooks, mountPath: /etc/scribed/secrets/webhooks, readOnly: true}
      {{- end }}
volumes:
  - name: state
    emptyDir: {}
  - name: cache
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  {{- if and .hasModels (not $values.models.fromImage) }}
  - name: models
    {{- if $values.models.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ $values.models.existingClaim }}
    {{- else if $values.models.persistence.enabled }}
    persistentVolumeClaim:
      claimName: {{ include "scribed.fullname" $root }}-models
    {{- else }}
    emptyDir: {}
    {{- end }}
  {{- end }}
  {{- if $values.inputs.existingClaim }}
  - name: inputs
    persistentVolumeClaim:
      claimName: {{ $values.inputs.existingClaim }}
  {{- end }}
  {{- if $values.keys.existingSecret }}
  - name: keys
    secret:
      secretName: {{ $values.keys.existingSecret }}
      defaultMode: 0440
      items:
        - {key: {{ $values.keys.key }}, path: keys}
  {{- end }}
  {{- if $values.webhooks.existingSecret }}
  - name: webhooks
    secret:
      secretName: {{ $values.webhooks.existingSecret }}
      defaultMode: 0440
      items:
        - {key: {{ $values.webhooks.key }}, path: secret}
  {{- end }}
{{- end }}
