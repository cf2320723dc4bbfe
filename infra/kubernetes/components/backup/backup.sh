#!/usr/bin/env bash
# backup.sh dump           backs up the replica set of BACKUP_URI into BACKUP_FOLDER, and deletes archives beyond the newest BACKUP_KEEP
# backup.sh drill          restores the newest archive into a mongod of its own, which ends afterwards, and counts. It touches no other server
# backup.sh open ARCHIVE   prints an archive as mongorestore --gzip --archive reads it
# An archive is encrypted with a key of its own, which lies beside it for BACKUP_PUBLIC_KEY (PEM, RSA of at least 3072 bits); drill and open
# need BACKUP_PRIVATE_KEY. Needs openssl, mongodump, mongorestore, mongosh and mongod, as the image mongo has them. BACKUP_URI is that of a
# user with the role backup; no argument has it or a key, because all users of a machine see those.
set -euo pipefail
shopt -s inherit_errexit nullglob

keep=${BACKUP_KEEP:-7}
work=$(mktemp -d) # 0700
trap 'rm -rf "$work"' EXIT

# Without a database, since a dump with the oplog is one of all; with the database of the user, and the file of the authority.
address() {
  local uri
  uri=$(sed -E 's|^(mongodb://[^/?]*)/?[^?]*\??(.*)|\1/?\2|' <<< "${BACKUP_URI:?the URI of MongoDB}")
  if [[ $uri == *@* && $uri != *authSource=* ]]; then uri+="&authSource=admin"; fi
  if [[ -n "${BACKUP_CA:-}" ]]; then uri+="&tlsCAFile=$BACKUP_CA"; fi
  echo "${uri/\?&/?}"
}

count() { # of the server COUNTED
  mongosh --nodb --quiet --eval 'print(connect(process.env.COUNTED).getSiblingDB("ligeiro").transactions.estimatedDocumentCount())'
}

dump() {
  local since before after base key="$work/key"
  : "${BACKUP_PUBLIC_KEY:?the file of the public key}"
  COUNTED=$(address)
  export COUNTED
  rm -f "$folder"/ligeiro-*.partial # of a dump that was killed
  since=$(date -u +%FT%TZ)
  base="$folder/ligeiro-$since"
  before=$(count)
  printf 'uri: "%s"\n' "$COUNTED" > "$work/uri"
  openssl rand -hex 32 > "$key"
  openssl pkeyutl -encrypt -pubin -inkey "$BACKUP_PUBLIC_KEY" -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 \
    -in "$key" -out "$base.key"
  # with the oplog, all collections are of one moment
  if ! mongodump --config "$work/uri" --oplog --gzip --archive |
    openssl enc -aes-256-ctr -pbkdf2 -pass "file:$key" > "$base.partial"; then
    rm -f "$base.partial" "$base.key"
    exit 1
  fi
  # the dump has so many transactions or a number between; there are fewer afterwards while a month leaves MongoDB (ligeiro.archive)
  after=$(count)
  echo "$((before < after ? before : after)) $((before < after ? after : before))" > "$base.counts"
  mv "$base.partial" "$base.gz.enc"
  # those of older versions are not encrypted
  printf '%s\n' "$folder"/ligeiro-*.gz "$folder"/ligeiro-*.gz.enc | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "${old%.gz*}".{gz,gz.enc,key,counts}
  done
  if [[ -n "${BACKUP_METRICS:-}" ]]; then
    echo "mongodb_backup_finished_timestamp_seconds $(date +%s)" > "$BACKUP_METRICS.new"
    mv "$BACKUP_METRICS.new" "$BACKUP_METRICS"
  fi
  echo "backed up: ligeiro-$since.gz.enc, $(stat -c %s "$base.gz.enc") bytes"
}

open() { # archive
  openssl pkeyutl -decrypt -inkey "${BACKUP_PRIVATE_KEY:?the file of the private key}" -pkeyopt rsa_padding_mode:oaep \
    -pkeyopt rsa_oaep_md:sha256 -in "${1%.gz.enc}.key" -out "$work/key"
  openssl enc -d -aes-256-ctr -pbkdf2 -pass "file:$work/key" -in "$1"
}

drill() {
  local archive before after restored data start=$SECONDS
  archive=$(printf '%s\n' "$folder"/ligeiro-*.gz.enc | sort | tail -n 1)
  read -r before after < "${archive%.gz.enc}.counts"
  data=$(mktemp -d "${DRILL_FOLDER:-/tmp}/drill.XXXXXX")
  mongod --dbpath "$data" --bind_ip 127.0.0.1 --port 27099 --unixSocketPrefix "$data" --logpath "$data/log" --fork > /dev/null
  # shellcheck disable=SC2064
  trap "mongod --dbpath '$data' --shutdown > /dev/null; rm -rf '$data' '$work'" EXIT
  open "$archive" | mongorestore --uri mongodb://127.0.0.1:27099 --oplogReplay --gzip --archive
  restored=$(COUNTED=mongodb://127.0.0.1:27099 count)
  if ((restored < before || restored > after)); then
    echo "$archive: $restored transactions restored (expected: $before to $after)" >&2
    exit 1
  fi
  echo "restored: ${archive##*/}, $restored transactions in $((SECONDS - start)) s"
}

case "${1:-}" in
  dump | drill)
    folder=${BACKUP_FOLDER:?the folder of the archives}
    "$1"
    ;;
  open) open "${2:?an archive}" ;;
  *) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac
