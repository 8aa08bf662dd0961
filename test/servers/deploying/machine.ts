/**
 * Shell functions that replace the programs of a machine: they create no users and install no packages, and `systemctl`
 * starts and stops the programs of the units, of which it reads some lines. `$UNITS` is the folder of the units; `$RUN` has
 * a process id and a log for each running unit.
 */
export const machine = `
set -euo pipefail
for name in useradd chown npm nginx docker; do eval "$name() { :; }"; done
sudo() { shift 2; "$@"; }

line_of() { sed -n "s/^$2=//p" <<<"$1"; }
unit_text() {
  if [[ $1 == *@* ]]; then sed "s/%i/\${1#*@}/g" "$UNITS/\${1%%@*}@.service"; else cat "$UNITS/$1.service"; fi
}
begin_unit() {
  local text; text=$(unit_text "$1")
  local -a settings=() command
  mapfile -t settings < <(line_of "$text" Environment)
  read -ra command < <(line_of "$text" ExecStart)
  (cd "$(line_of "$text" WorkingDirectory)" && exec env "\${settings[@]}" "\${command[@]}") >>"$RUN/$1.log" 2>&1 &
  echo $! >"$RUN/$1.pid"
}
wait_for_unit() {
  local -a command
  # Without the retries of curl, which wait for whole seconds.
  read -ra command < <(line_of "$(unit_text "$1")" ExecStartPost | sed 's/--retry 40/--retry 0/')
  until "\${command[@]}"; do sleep 0.05; done
}
stop_unit() {
  local pid; pid=$(cat "$RUN/$1.pid")
  kill -TERM "$pid"
  wait "$pid"
  rm "$RUN/$1.pid"
}
systemctl() {
  local verb=$1 unit; shift
  local -a units=()
  for unit in "$@"; do
    case $unit in --now | nginx | *.timer) ;; *) units+=("$unit") ;; esac
  done
  if [[ \${#units[@]} == 0 ]]; then return; fi
  if [[ $verb == stop || $verb == restart ]]; then for unit in "\${units[@]}"; do stop_unit "$unit"; done; fi
  if [[ $verb == stop ]]; then return; fi
  for unit in "\${units[@]}"; do begin_unit "$unit"; done
  for unit in "\${units[@]}"; do wait_for_unit "$unit"; done
}
`;
