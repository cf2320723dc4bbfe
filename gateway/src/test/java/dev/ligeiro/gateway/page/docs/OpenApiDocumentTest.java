package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.merchant.Scope;
import dev.ligeiro.message.EventType;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.DeliveryStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The description by itself: it is complete and agrees with the code's enums. {@link ContractIT} compares it with the gateway. */
class OpenApiDocumentTest {

    private static final ApiDescription DESCRIPTION = ApiDescription.read();

    static Stream<DocumentedOperation> operations() {
        return DESCRIPTION.operations().stream();
    }

    static Stream<DocumentedOperation> webhooks() {
        return DESCRIPTION.webhooks().stream();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationIsDescribedWhole(DocumentedOperation operation) {
        JsonNode node = operation.node();
        assertThat(node.path("summary").stringValue()).isNotBlank().doesNotEndWith(".");
        assertThat(node.path("description").stringValue().strip()).endsWith(".");
        assertThat(tags()).contains(node.path("tags").path(0).stringValue());
        assertThat(node.has("security")).isTrue();
        boolean isOpenToAnyKey =
                operation.path().matches("/api/v1/(console-sessions?.*|platforms)") && operation.needsKey();
        assertThat(operation.scopes().isEmpty()).isEqualTo(!operation.needsKey() || isOpenToAnyKey);
        assertThat(codes(Scope.values())).containsAll(operation.scopes());
        for (String status : operation.statuses()) {
            JsonNode response = operation.response(Integer.parseInt(status));
            assertThat(response.path("description").stringValue().strip()).endsWith(".");
            assertThat(response.path("headers").propertyNames()).contains("X-Request-Id");
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aKeyAndABodyHaveTheirProblems(DocumentedOperation operation) {
        assertThat(operation.statuses()).contains("500");
        if (operation.needsKey()) {
            assertThat(operation.statuses()).contains("401", "403", "406", "503");
        }
        if (operation.hasBody()) {
            assertThat(operation.statuses()).contains("400", "413", "415", "422");
        }
        if (operation.path().contains("{") && operation.needsKey()) {
            assertThat(operation.statuses()).contains("404");
        }
    }

    /** Each look-up can meet an outage or a full queue. */
    @ParameterizedTest
    @MethodSource("operations")
    void anUnavailableOperationShowsBothReasons(DocumentedOperation operation) {
        if (operation.statuses().contains("503")) {
            assertThat(operation
                            .response(503)
                            .path("content")
                            .path("application/problem+json")
                            .path("examples")
                            .propertyNames())
                    .contains("overloaded", "unavailable");
        }
    }

    @Test
    void everyReferenceLeadsSomewhereAndEveryComponentIsUsed() {
        Set<String> used = new TreeSet<>();
        DESCRIPTION.document().findValues("$ref").forEach(reference -> {
            DESCRIPTION.document().requiredAt(reference.stringValue().substring(1));
            used.add(reference.stringValue().replaceFirst("^#/components/", ""));
        });
        Set<String> components = new TreeSet<>();
        DESCRIPTION.document().path("components").properties().forEach(kind -> kind.getValue()
                .propertyNames()
                .forEach(name -> components.add(kind.getKey() + "/" + name)));
        components.removeAll(used);
        assertThat(components).containsExactly("securitySchemes/apiKey");
    }

    @Test
    void everyFieldHasADescription() {
        List<String> without = new ArrayList<>();
        DESCRIPTION.document().path("components").path("schemas").properties().forEach(schema -> schema.getValue()
                .path("properties")
                .properties()
                .forEach(field -> {
                    if (!DESCRIPTION.resolved(field.getValue()).has("description")) {
                        without.add(schema.getKey() + "." + field.getKey());
                    }
                }));
        assertThat(without).isEmpty();
    }

    @Test
    void everyExampleFollowsItsSchema() {
        List<String> faults = new ArrayList<>();
        Stream.concat(operations(), webhooks()).forEach(operation -> {
            List<JsonNode> contents = new ArrayList<>(operation.node().findValues("content"));
            operation.statuses().stream()
                    .filter(status -> status.matches("[0-9]+"))
                    .forEach(status -> contents.add(
                            operation.response(Integer.parseInt(status)).path("content")));
            contents.forEach(content -> content.forEach(media -> check(operation + " ", media, faults)));
        });
        DESCRIPTION.operations().forEach(operation -> Stream.of("path", "query", "header")
                .flatMap(in -> operation.parameters(in).stream())
                .forEach(parameter -> check(operation + " ", parameter, faults)));
        DESCRIPTION.document().path("components").path("headers").forEach(header -> check("headers ", header, faults));
        DESCRIPTION.document().path("components").path("schemas").properties().forEach(schema -> schema.getValue()
                .path("properties")
                .forEach(field -> {
                    if (field.has("example")) {
                        faults.addAll(DESCRIPTION.faults(field, field.path("example")));
                    }
                }));
        assertThat(faults).isEmpty();
    }

    /** @param described has a {@code schema} and perhaps an {@code example} or {@code examples} */
    private static void check(String place, JsonNode described, List<String> faults) {
        List<JsonNode> examples = new ArrayList<>();
        described
                .path("examples")
                .forEach(example -> examples.add(DESCRIPTION.resolved(example).path("value")));
        described.at("/schema/examples").forEach(examples::add);
        if (described.has("example")) {
            examples.add(described.path("example"));
        }
        examples.forEach(example ->
                DESCRIPTION.faults(described.path("schema"), example).forEach(fault -> faults.add(place + fault)));
    }

    @Test
    void theProblemsAreThoseOfTheCode() {
        assertThat(DESCRIPTION.values(DESCRIPTION.schema("ProblemCode")))
                .containsExactlyElementsOf(codes(ApiDescription.PROBLEMS.toArray(ProblemCode[]::new)));
        for (ProblemCode code : ApiDescription.PROBLEMS) {
            JsonNode example = DESCRIPTION
                    .document()
                    .path("components")
                    .path("examples")
                    .path(code.code())
                    .path("value");
            assertThat(example.path("code").stringValue()).isEqualTo(code.code());
            assertThat(example.path("type").stringValue()).isEqualTo("urn:ligeiro:problem:" + code.code());
            assertThat(example.path("title").stringValue()).isEqualTo(code.title());
            assertThat(example.path("status").intValue())
                    .isEqualTo(code.status().value());
        }
    }

    @Test
    void enumerationsAreThoseOfTheCode() {
        assertThat(DESCRIPTION.values(DESCRIPTION.schema("Status"))).containsExactlyElementsOf(codes(Status.values()));
        assertThat(DESCRIPTION.values(DESCRIPTION.schema("EventType")))
                .containsExactlyElementsOf(codes(EventType.values()));
        assertThat(field("Attempt", "outcome")).containsExactlyElementsOf(codes(AttemptOutcome.values()));
        assertThat(field("Delivery", "status")).containsExactlyElementsOf(codes(DeliveryStatus.values()));
        assertThat(field("Refund", "status")).containsExactlyElementsOf(codes(Refund.State.values()));
        assertThat(field("CashoutCreate", "key_type"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(PixKey.Type.values()).map(Enum::name).toList());
        for (Scope scope : Scope.values()) {
            assertThat(DESCRIPTION
                            .document()
                            .at("/components/securitySchemes/apiKey/description")
                            .stringValue())
                    .contains("| `" + scope.code() + "` |");
        }
    }

    @Test
    void thereIsAWebhookForEachType() {
        List<String> types = new ArrayList<>(codes(EventType.values()));
        types.add("webhook.test");
        assertThat(webhooks().map(DocumentedOperation::path)).containsExactlyElementsOf(types);
        assertThat(field("Delivery", "event_type")).containsExactlyElementsOf(types);
    }

    @ParameterizedTest
    @MethodSource("webhooks")
    void aWebhookIsDescribedWhole(DocumentedOperation webhook) {
        assertThat(webhook.node().path("description").stringValue().strip()).endsWith(".");
        assertThat(webhook.node().path("security")).isEmpty();
        assertThat(webhook.parameters("header").stream()
                        .map(each -> each.path("name").stringValue()))
                .containsExactly("webhook-id", "webhook-timestamp", "webhook-signature");
    }

    private static List<String> field(String schema, String field) {
        return DESCRIPTION.values(DESCRIPTION.schema(schema).path("properties").path(field));
    }

    private static List<String> tags() {
        return DESCRIPTION
                .document()
                .path("tags")
                .valueStream()
                .map(tag -> tag.path("name").stringValue())
                .toList();
    }

    private static List<String> codes(Coded[] all) {
        return Stream.of(all).map(Coded::code).toList();
    }
}
