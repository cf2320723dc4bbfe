package dev.ligeiro.gateway.operator.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls of the admin API for dead letters, as the operator, and readers of their responses. */
final class DeadLetterCalls {

    static final String LIST = "/admin/dead-letters";
    static final String REDRIVE = LIST + "/redrive";

    private final Api admin;
    private final DeadLetterWriter writer;

    DeadLetterCalls(Api admin, DeadLetterWriter writer) {
        this.admin = admin;
        this.writer = writer;
    }

    /** The id of a new dead letter, which is redriven at once. */
    String marker(DeadLetterTopic topic) {
        String id = writer.write(topic, newKey(), "marker");
        redrive(ids(topic, id));
        return id;
    }

    List<String> write(int count, String reason) {
        return Stream.generate(() -> writer.write(DeadLetterTopic.COMMANDS, newKey(), reason))
                .limit(count)
                .toList();
    }

    Answer list(DeadLetterTopic topic, String after, int limit) {
        return admin.get(LIST + "?topic=" + topic.code() + "&after=" + after + "&limit=" + limit)
                .expect(200);
    }

    Answer redrive(ObjectNode request) {
        return admin.post(REDRIVE, request.put("dry_run", false)).expect(200);
    }

    static ObjectNode ids(DeadLetterTopic topic, String... ids) {
        ObjectNode request = request(topic);
        Stream.of(ids).forEach(request.putArray("ids")::add);
        return request;
    }

    static ObjectNode all(DeadLetterTopic topic, String after) {
        return request(topic).put("all", true).put("after", after);
    }

    static ObjectNode reason(DeadLetterTopic topic, String after, String reason) {
        return request(topic).put("reason", reason).put("after", after);
    }

    private static ObjectNode request(DeadLetterTopic topic) {
        return Bodies.parsed("{}").put("topic", topic.code());
    }

    static List<String> listedIds(Answer page) {
        return page.json()
                .path("dead_letters")
                .valueStream()
                .map(each -> each.path("id").stringValue())
                .toList();
    }

    static List<String> resultIds(Answer result) {
        List<String> ids = result.json()
                .path("ids")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
        assertThat(result.json().path("count").asInt()).isEqualTo(ids.size());
        return ids;
    }

    double counted(DeadLetterTopic topic) {
        return admin.withToken(null)
                .get("/actuator/metrics/ligeiro.dead.letters.redriven?tag=topic:" + topic.code())
                .expect(200)
                .json()
                .at("/measurements/0/value")
                .asDouble();
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }
}
