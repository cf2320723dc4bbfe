package dev.ligeiro.infra.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The daily backup, the drill that restores it, and the rights of those who reach MongoDB. */
class BackupIT {

    private static final String BACKUP = "mongodb-backup";

    private final Overlay overlay = Overlay.of(Overlay.STRIMZI_MCK);

    @Test
    void eachDutyHasAMongodbUserOfItsOwn() {
        Map<String, String> roles = overlay.only("MongoDBCommunity", "mongodb")
                .at("/spec/users")
                .valueStream()
                .collect(Collectors.toMap(user -> user.path("name").asString(), user -> user.path("roles")
                        .valueStream()
                        .map(role -> role.path("name").asString() + "@"
                                + role.path("db").asString())
                        .collect(Collectors.joining(" "))));
        assertThat(roles)
                .containsOnly(
                        Map.entry("ligeiro", "readWrite@ligeiro"),
                        Map.entry("ligeiro-operations", "clusterMonitor@admin read@ligeiro ligeiroOperations@admin"),
                        Map.entry("ligeiro-backup", "backup@admin"));
    }

    /** With the role dbAdmin, operators could drop the audit. */
    @Test
    void operatorsHaveNoRightOverCollections() {
        JsonNode roles = overlay.only("MongoDBCommunity", "mongodb").at("/spec/security/roles");
        assertThat(roles).hasSize(1);
        assertThat(roles.at("/0/role").asString()).isEqualTo("ligeiroOperations");
        assertThat(roles.at("/0/privileges")).hasSize(1);
        assertThat(roles.at("/0/privileges/0/resource")).hasToString("{\"cluster\":true}");
        assertThat(roles.at("/0/privileges/0/actions")).hasToString("[\"replSetStateChange\",\"killop\"]");
    }

    /** All that the cluster starts: the fixed version of CVE-2025-14847 is 8.0.17. */
    @Test
    void mongodbIsOfOneVersion() {
        String version =
                overlay.only("MongoDBCommunity", "mongodb").at("/spec/version").asString();
        assertThat(version).matches("8\\.0\\.(1[7-9]|[2-9][0-9])");
        assertThat(List.of(container(BACKUP), container("mongodb-restore-drill")))
                .allMatch(container -> container.path("image").asString().equals("mongo:" + version));
        assertThat(Overlay.of("small")
                        .only("StatefulSet", "mongodb")
                        .at("/spec/template/spec/containers/0/image")
                        .asString())
                .isEqualTo("mongo:" + version);
    }

    /** Without the private key, the backup's pod cannot read older archives. */
    @Test
    void theBackupEncryptsAndOnlyTheDrillOpens() {
        assertThat(pod(BACKUP).path("volumes").toString())
                .contains("ligeiro-backup-public-key")
                .doesNotContain("private");
        assertThat(pod("mongodb-restore-drill").path("volumes").toString()).contains("ligeiro-backup-private-key");
    }

    /** Alert BackupOld would otherwise never fire. */
    @Test
    void theAlertKnowsTheBackup() {
        overlay.only("CronJob", BACKUP);
        assertThat(overlay.only("PrometheusRule", "ligeiro").toString())
                .contains("kube_cronjob_status_last_successful_time{cronjob=\\\"" + BACKUP + "\\\"}");
    }

    @Test
    void theBackupHasItsOwnUserAndTheDrillHasNone() {
        assertThat(container(BACKUP).path("env").toString()).contains("\"name\":\"ligeiro-mongodb-backup\"");
        assertThat(container("mongodb-restore-drill").path("env").toString()).doesNotContain("secretKeyRef");
        assertThat(overlay.only("NetworkPolicy", "mongodb-restore-drill")
                        .at("/spec/egress")
                        .isMissingNode())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {BACKUP, "mongodb-restore-drill"})
    void itsPodRunsTheScriptWithoutRights(String job) {
        JsonNode pod = pod(job);
        JsonNode container = container(job);
        assertThat(container.at("/command/0").asString()).isEqualTo("/backup/backup.sh");
        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/capabilities/drop/0").asString())
                .isEqualTo("ALL");
        String script = pod.at("/volumes/0/configMap/name").asString();
        assertThat(overlay.only("ConfigMap", script).path("data").has("backup.sh"))
                .isTrue();
    }

    private JsonNode container(String job) {
        return pod(job).at("/containers/0");
    }

    private JsonNode pod(String job) {
        return overlay.only("CronJob", job).at("/spec/jobTemplate/spec/template/spec");
    }
}
