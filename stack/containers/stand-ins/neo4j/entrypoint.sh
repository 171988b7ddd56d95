#!/bin/bash
# Writes neo4j.conf from NEO4J_ variables as the official image does: `_` is a dot, `__` an underscore.
set -eu
conf=/var/lib/neo4j/conf/neo4j.conf
{
  echo "server.default_listen_address=0.0.0.0"
  echo "server.directories.data=/data"
  while IFS='=' read -r -d '' name value; do
    case "$name" in
      NEO4J_AUTH | NEO4J_HOME | NEO4J_VERSION) ;;
      NEO4J_*)
        key="${name#NEO4J_}"
        key="${key//__/%}"
        key="${key//_/.}"
        echo "${key//%/_}=$value"
        ;;
    esac
  done < <(env -0)
} >"$conf"

password="${NEO4J_AUTH#neo4j/}"
if [ "${#password}" -lt 8 ]; then
  echo "Invalid value for password. The minimum password length is 8 characters." >&2
  exit 1
fi

# The official entrypoint starts as root, owns the data and drops to the user neo4j.
run=()
if [ "$(id -u)" = 0 ]; then
  chown -R neo4j:neo4j /data /var/lib/neo4j
  run=(setpriv --reuid=neo4j --regid=neo4j --clear-groups)
fi
admin=(java -cp '/var/lib/neo4j/lib/*' org.neo4j.cli.AdminTool)
export NEO4J_HOME=/var/lib/neo4j NEO4J_CONF=/var/lib/neo4j/conf
if [ ! -e /data/dbms/auth.ini ] && [ ! -e /data/databases/system ]; then
  "${run[@]}" "${admin[@]}" dbms set-initial-password "$password"
fi
exec "${run[@]}" java -Xms512m -Xmx1g -XX:+ExitOnOutOfMemoryError -Dfile.encoding=UTF-8 \
  --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED \
  --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED \
  -Dio.netty.tryReflectionSetAccessible=true -cp '/var/lib/neo4j/lib/*' \
  org.neo4j.server.CommunityEntryPoint --home-dir=/var/lib/neo4j --config-dir=/var/lib/neo4j/conf
