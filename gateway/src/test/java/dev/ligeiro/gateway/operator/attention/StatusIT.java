package dev.ligeiro.gateway.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TransactionDocuments;
import dev.ligeiro.store.CollectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedGateway.class)
class StatusIT {

    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(20);

    private final RunningGateway gateway;
    private final TransactionDocuments stored;

    StatusIT(RunningGateway gateway) {
        this.gateway = gateway;
        this.stored = new TransactionDocuments(gateway.database());
    }

    @AfterEach
    void close() {
        stored.close();
    }

    @Test
    void theStatusHasThisGatewayAndWhatTheOthersReport() {
        Instant now = gateway.clock().instant();
        stored.insert(
                CollectionNames.INSTANCES,
                instance(
                        "processor",
                        now,
                        figure("ligeiro.rail.unknown.oldest", "rail", "bank", 7_200),
                        figure("ligeiro.rail.breakers.open", "rail", "bank", 2)));
        stored.insert(
                CollectionNames.INSTANCES,
                instance("processor", now.minusSeconds(46), figure("ligeiro.clock.ahead", "none", "none", 900)));

        JsonNode status = await().atMost(REPORTED_WITHIN)
                .until(
                        this::status,
                        found -> services(found).contains("gateway")
                                && !found.path("open").path("dead_commands").isNull());

        assertThat(services(status)).containsExactly("gateway", "processor");
        JsonNode own = status.path("instances").path(0);
        assertThat(own.path("version").asString()).isNotEmpty();
        assertThat(own.path("host").asString()).isNotEmpty();
        assertThat(gateway.admin()
                        .get("/actuator/info")
                        .expect(200)
                        .json()
                        .path("build")
                        .path("version"))
                .isEqualTo(own.path("version"));
        assertThat(own.path("heap_usage").asDouble()).isBetween(0.0, 1.0);
        assertThat(status.path("rails").path(0).path("rail").asString()).isEqualTo("bank");
        assertThat(status.path("rails").path(0).path("breakers_open").asDouble())
                .isEqualTo(2);
        assertThat(status.path("open").path("approvals").path("more").isBoolean())
                .isTrue();
        JsonNode unknown = attention(status, "RailOutcomeUnknown");
        assertThat(unknown.path("severity").asString()).isEqualTo("critical");
        assertThat(unknown.path("about").asString()).isEqualTo("bank");
        assertThat(unknown.path("value").asDouble()).isEqualTo(7_200);
        assertThat(unknown.path("unit").asString()).isEqualTo("age");
        assertThat(unknown.path("runbook").asString()).isEqualTo("rail-unknowns");
        assertThat(unknown.path("route").asString()).isEqualTo("GET /admin/unsettled");
        assertThat(unknown.path("page").asString()).isEqualTo("/console/unsettled");
        assertThat(attention(status, "ClocksApart").isMissingNode()).isTrue();
    }

    @Test
    void aParameterIsRefused() {
        gateway.admin().get("/admin/status?wait=1").expectProblem(422, "validation_failed");
    }

    private JsonNode status() {
        return gateway.admin().get("/admin/status").expect(200).json();
    }

    private static List<String> services(JsonNode status) {
        return status.path("instances")
                .valueStream()
                .map(instance -> instance.path("service").asString())
                .toList();
    }

    private static JsonNode attention(JsonNode status, String name) {
        return status.path("attention")
                .valueStream()
                .filter(item -> item.path("name").asString().equals(name))
                .findFirst()
                .orElseGet(() -> status.path("none"));
    }

    private static Document instance(String service, Instant seenAt, Document... figures) {
        return new Document("_id", UUID.randomUUID())
                .append("service", service)
                .append("version", "1.2.3")
                .append("host", "host-1")
                .append("pid", 7L)
                .append("startedAt", Date.from(seenAt.minusSeconds(90)))
                .append("seenAt", Date.from(seenAt))
                .append("figures", List.of(figures));
    }

    private static Document figure(String name, String tag, String value, double figure) {
        return new Document("name", name)
                .append("tags", new Document(tag, value))
                .append("value", figure);
    }
}
