#!/usr/bin/env bash
# backup.sh dump    backs up the replica set of BACKUP_URI into BACKUP_FOLDER, and deletes archives beyond the newest BACKUP_KEEP
# backup.sh drill   restores the newest archive into a mongod of its own, which ends afterwards, and counts. It touches no other server
# Needs mongodump, mongorestore, mongosh and mongod, as the image mongo has them. BACKUP_URI is that of a user with the role backup.
set -euo pipefail

folder=${BACKUP_FOLDER:?the folder of the archives}
keep=${BACKUP_KEEP:-7}

# Without a database, since a dump with the oplog is one of all; with the database of the user, and the file of the authority.
address() {
  local uri
  uri=$(sed -E 's|^(mongodb://[^/?]*)/?[^?]*\??(.*)|\1/?\2|' <<< "${BACKUP_URI:?the URI of MongoDB}")
  if [[ $uri == *@* && $uri != *authSource=* ]]; then uri+="&authSource=admin"; fi
  if [[ -n "${BACKUP_CA:-}" ]]; then uri+="&tlsCAFile=$BACKUP_CA"; fi
  echo "${uri/\?&/?}"
}

count() { # URI
  mongosh "$1" --quiet --eval 'print(db.getSiblingDB("ligeiro").transactions.estimatedDocumentCount())'
}

dump() {
  local uri since before
  uri=$(address)
  since=$(date -u +%FT%TZ)
  before=$(count "$uri")
  # the URI has a password, which other users of the machine must not see: mongodump reads it from a file
  (umask 077 && printf 'uri: "%s"\n' "$uri" > "$folder/.uri")
  trap 'rm -f "$folder/.uri" "$folder"/.partial.*' EXIT
  # with the oplog, all collections are of one moment
  mongodump --config "$folder/.uri" --oplog --gzip --archive="$folder/.partial.$since"
  # transactions are never deleted, so the archive has at least those from before it and at most those from after it
  echo "$before $(count "$uri")" > "$folder/ligeiro-$since.counts"
  mv "$folder/.partial.$since" "$folder/ligeiro-$since.gz"
  ls -1 "$folder"/ligeiro-*.gz | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -f "$old" "${old%.gz}.counts"; done
  if [[ -n "${BACKUP_METRICS:-}" ]]; then
    echo "mongodb_backup_finished_timestamp_seconds $(date +%s)" > "$BACKUP_METRICS.new"
    mv "$BACKUP_METRICS.new" "$BACKUP_METRICS"
  fi
  echo "backed up: ligeiro-$since.gz, $(stat -c %s "$folder/ligeiro-$since.gz") bytes"
}

drill() {
  local archive before after restored data start=$SECONDS
  archive=$(ls -1 "$folder"/ligeiro-*.gz | sort | tail -n 1)
  read -r before after < "${archive%.gz}.counts"
  data=$(mktemp -d "${DRILL_FOLDER:-/tmp}/drill.XXXXXX")
  mongod --dbpath "$data" --bind_ip 127.0.0.1 --port 27099 --unixSocketPrefix "$data" --logpath "$data/log" --fork > /dev/null
  # shellcheck disable=SC2064
  trap "mongod --dbpath '$data' --shutdown > /dev/null; rm -rf '$data'" EXIT
  mongorestore --uri mongodb://127.0.0.1:27099 --oplogReplay --gzip --archive="$archive"
  restored=$(count mongodb://127.0.0.1:27099)
  if ((restored < before || restored > after)); then
    echo "$archive: $restored transactions restored (expected: $before to $after)" >&2
    exit 1
  fi
  echo "restored: ${archive##*/}, $restored transactions in $((SECONDS - start)) s"
}

case "${1:-}" in
  dump | drill) "$1" ;;
  *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
