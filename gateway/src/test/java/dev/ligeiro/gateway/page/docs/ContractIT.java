package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The description and the running gateway say the same. Every answer is checked against the description, members that it does not have are
 * faults; the last test asserts that every described response, code and field was seen.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContractIT extends WithGateway {

    /**
     * Faults, limits and settings of the installation, which {@code OutageIT}, {@code LimitsIT}, {@code LiveCashinIT}, {@code ApprovalIT} and
     * others cause.
     */
    private static final String NOT_CAUSED_HERE =
            ".* (403 separate_key_required|409 bundles_not_configured|429 rate_limited|500 internal_error|503 [a-z_]+)";

    private static final List<String> CREATES = List.of("createCashin", "createCashout");

    private final ApiDescription description = ApiDescription.read();
    private final Contract contract = new Contract(description);
    private final Calls calls;
    private final ChangeScenario changes;
    private final DisputeScenario disputes;
    private final WebhookScenario webhooks;
    private final FeedScenario feed;
    private final String endpoint;

    ContractIT() {
        this.calls = new Calls(contract, merchant);
        this.changes = new ChangeScenario(calls, new PlayedProcessor(gateway), stored);
        this.disputes = new DisputeScenario(calls, new PlayedProcessor(gateway), stored);
        this.webhooks = new WebhookScenario(calls, stored);
        this.feed = new FeedScenario(new Calls(contract, gateway.newMerchant()), stored);
        this.endpoint = calls.endpoint();
    }

    @Test
    void everyRouteIsDescribedAndNoOther() {
        List<String> files = gateway.routes().stream()
                .filter(route -> route.matches("GET /docs/.*\\.[a-z]+|[A-Z]+ /console(/.*)?"))
                .toList();
        assertThat(files).isNotEmpty();
        assertThat(description.operations().stream().map(DocumentedOperation::route))
                .containsExactlyInAnyOrderElementsOf(gateway.routes().stream()
                        .filter(route -> !files.contains(route))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"showGuide", "showReference", "showGuideText", "showLlms"})
    void aPageOfTheDocumentationIsSentOnce(String operationId) {
        Answer page = calls.send(gateway.api(), operationId, null).expect(200);
        HttpRequest.Builder again =
                calls.request(gateway.api(), operationId).header("If-None-Match", page.header("ETag"));
        calls.check(operationId, Api.send(again)).expect(304);
    }

    @Test
    void theGatewayServesTheDescriptionWithItsOwnAddress() {
        Answer served = calls.send(gateway.api(), "showOpenApi", null);

        assertThat(served.json().at("/servers/0/url").stringValue()).isEqualTo(gateway.url());
        assertThat(served.json().path("paths")).isEqualTo(description.document().path("paths"));
    }

    @Test
    void withoutAKeyARouteIsUnauthorized() {
        calls.keyed().forEach(operation -> calls.send(gateway.api(), operation.id(), null, Calls.random())
                .expect(401));
    }

    @Test
    void onlyPagesAndTheLinkIntoTheConsoleNeedNoKey() {
        assertThat(description.operations().stream().filter(operation -> !operation.needsKey()))
                .allMatch(operation -> operation
                        .route()
                        .matches("(GET|HEAD) /(checkout/.*|docs(/.*|\\.md)?|llms\\.txt|openapi\\.json|\\.well-known/.*)"
                                + "|POST /api/v1/console-sessions/enter"));
    }

    /** A key with one scope is enough for exactly the operations that name the scope. A refused request is not counted. */
    @ParameterizedTest
    @EnumSource
    void aKeyNeedsOneOfTheDescribedScopes(Mode mode) {
        for (Scope scope : Scope.values()) {
            Api api = gateway.api()
                    .withToken(merchant.newKey(mode, null, null, scope.code()).key());
            calls.keyed().forEach(operation -> {
                boolean isOpen =
                        operation.scopes().isEmpty() || operation.scopes().contains(scope.code());
                Answer answer = calls.send(api, operation.id(), null, Calls.random());
                assertThat(answer.body().contains("\"code\":\"insufficient_scope\""))
                        .as("%s with %s", operation, scope)
                        .isEqualTo(!isOpen);
                assertThat(answer.header("RateLimit").isEmpty())
                        .as("%s with %s", operation, scope)
                        .isEqualTo(!isOpen);
            });
        }
    }

    @Test
    void aKeyOfOtherAddressesIsRefused() {
        String elsewhere =
                merchant.newKey(Mode.TEST, List.of("203.0.113.0/24"), null).key();
        Api api = gateway.api().withToken(elsewhere);

        calls.keyed().forEach(operation -> calls.send(api, operation.id(), null, Calls.random())
                .expectProblem(403, "address_not_allowed"));
    }

    @Test
    void anotherAcceptIsNotAcceptable() {
        calls.keyed().map(DocumentedOperation::id).forEach(id -> {
            HttpRequest.Builder request = calls.request(merchant.api(), id, Calls.random());
            calls.check(id, Api.send(request.header("Accept", "text/plain"))).expect(406);
        });
    }

    @Test
    void aBodyIsJsonOfAtMost64KiB() {
        String large = "{\"extra\":\"" + "x".repeat(64 * 1024) + "\"}";
        calls.keyed().filter(DocumentedOperation::hasBody).forEach(operation -> {
            HttpRequest.Builder text = calls.request(merchant.api(), operation.id(), Calls.random())
                    .header("Content-Type", "text/plain")
                    .method(operation.method(), HttpRequest.BodyPublishers.ofString("{}"));
            calls.check(operation.id(), Api.send(text)).expect(415);
            calls.send(operation.id(), "{", Calls.random()).expect(400);
            calls.send(operation.id(), large, Calls.random()).expect(413);
        });
    }

    @Test
    void anUnknownIdIsNotFound() {
        calls.keyed().filter(operation -> operation.path().contains("{")).forEach(operation -> {
            calls.send(operation.id(), "{}", Calls.random()).expect(404);
            calls.send(operation.id(), "{}", "not-an-id").expect(404);
        });
        calls.send(gateway.api(), "showCheckout", null, Calls.random()).expect(404);
        calls.send(gateway.api(), "showReceipt", null, Calls.random()).expect(404);
        calls.send(gateway.api(), "streamCheckoutStatus", null, Calls.random()).expect(404);
    }

    @Test
    void aTransactionOfAnArchivedMonthIsGone() {
        YearMonth month = YearMonth.of(2018, 2);
        gateway.archived(
                month, List.of(RunningGateway.counts(month, calls.merchant().tenant(), 0, new Document())));
        String id = TransactionId.at(Instant.parse("2018-02-03T04:05:06Z")).toString();
        calls.keyed()
                .filter(operation -> operation.path().contains("/transaction/{id}"))
                .forEach(operation -> calls.send(operation.id(), "{}", id).expectProblem(410, "transaction_archived"));
        assertThat(calls.send("listTransactions", null).expect(200).text("complete_from"))
                .isEqualTo("2018-02-28 21:00:00");
    }

    /** The error of an unknown parameter names all that the gateway knows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "listTransactions",
                "exportTransactions",
                "listRefunds",
                "listDeliveries",
                "readEvents",
                "readStatement",
                "exportStatement",
                "exportStatementOfx",
                "exportStatementCamt",
                "listKeys",
                "listDisputes",
                "showFigures"
            })
    void theGatewayKnowsTheDescribedQueryParametersAndNoOther(String operationId) {
        DocumentedOperation operation = calls.operation(operationId);
        String path = operation.path(operationId.equals("listRefunds") ? calls.pending() : endpoint) + "?";
        List<String> names = operation.parameters("query").stream()
                .map(parameter -> parameter.path("name").stringValue())
                .sorted()
                .toList();

        Answer refused = calls.check(operationId, merchant.api().get(path + "nothing=1"));
        assertThat(refused.expect(422).json().at("/errors/0/message").stringValue())
                .isEqualTo("expected one of " + names);
        calls.check(operationId, merchant.api().get(path + "%1$s=a&%1$s=b".formatted(names.get(0))))
                .expect(422);
        operation.parameters("query").stream()
                .filter(parameter -> parameter.at("/schema/examples").isArray())
                .map(ContractIT::example)
                .forEach(query -> calls.check(operationId, merchant.api().get(path + query))
                        .expect(200));
    }

    private static String example(JsonNode parameter) {
        String value = parameter.at("/schema/examples/0").asString();
        return parameter.path("name").stringValue() + "=" + value.replace(" ", "%20");
    }

    @Test
    void theExamplesOfCreatesAreAccepted() {
        for (String create : CREATES) {
            for (ObjectNode example : calls.examples(create).values()) {
                Answer created = calls.send(create, example).expect(201);
                calls.check("showTransaction", merchant.api().get(created.header("Location")))
                        .expect(200);
                calls.send(gateway.api(), "showCheckout", null, created.transactionId());
                String key = Calls.random();
                example.remove("reference");
                Answer first = calls.sendWithKey(create, example, key);
                Answer second = calls.sendWithKey(create, example, key);
                assertThat(first.header("Idempotent-Replayed")).isEmpty();
                assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            }
        }
    }

    @Test
    void creationsAreRefused() {
        for (String create : CREATES) {
            ObjectNode body = calls.example(create, "required").put("reference", create);
            String key = Calls.random();
            calls.sendWithKey(create, body, key).expect(201);
            calls.send(create, body).expectProblem(409, "reference_already_used");
            calls.sendWithKey(create, body.put("amount", 1), key).expectProblem(422, "idempotency_key_reused");
        }
    }

    @Test
    void anIdempotencyKeyHasAtMost255Characters() {
        calls.keyed()
                .filter(operation -> operation.hasParameter("header", "Idempotency-Key"))
                .forEach(operation -> calls.sendWithKey(
                                operation.id(),
                                "{}",
                                "k".repeat(256),
                                operation.id().equals("defendDispute") ? disputes.opened() : Calls.random())
                        .expectProblem(422, "validation_failed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "createCashin",
                "createCashout",
                "refundTransaction",
                "rejectTransaction",
                "defendDispute",
                "registerWebhook",
                "changeWebhook",
                "startReplay",
                "createConsoleSession"
            })
    void aFieldHasTheDescribedForm(String operationId) {
        String id = operationId.equals("defendDispute") ? disputes.opened() : endpoint;
        FieldScenario fields = new FieldScenario(description, calls, operationId, id);
        fields.requiredFieldsAreRequired();
        fields.wrongValuesAreRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"createCashin", "createCashout", "registerWebhook", "changeWebhook"})
    void anOptionalFieldMayBeNull(String operationId) {
        new FieldScenario(description, calls, operationId, endpoint).optionalFieldsMayBeNull();
    }

    @Test
    void changesAreMadeOrQueued() {
        changes.areMade();
        changes.areQueued();
    }

    @Test
    void changesAreRefused() {
        changes.areRefused();
        changes.refundsAreRefused();
        merchant.freeze(true);
        changes.aFrozenMerchantPaysNothing();
        merchant.freeze(false);
    }

    @Test
    void disputesAreListedAndDefended() {
        disputes.areListed();
        disputes.areDefended();
        disputes.areNotDefended();
    }

    @Test
    void aLiveKeyDoesNotReachTheSimulator() {
        TestMerchant live = merchant.live();
        calls.keyed()
                .filter(operation -> operation.path().contains("/sandbox/"))
                .forEach(operation -> calls.send(live.api(), operation.id(), null, Calls.random())
                        .expectProblem(403, "test_mode_only"));
        for (String create : CREATES) {
            ObjectNode body = calls.example(create, "required").put("platform", live.platform());
            calls.send(live.api(), create, body).expectProblem(409, "live_mode_not_configured");
        }
    }

    @Test
    void webhookEndpointsAreManaged() {
        webhooks.endpointsAreManaged();
        webhooks.endpointsHaveLimits(gateway.newMerchant());
    }

    @Test
    void deliveriesAndReplaysAreManaged() {
        webhooks.deliveriesAreListedAndSentAgain();
        webhooks.replaysRun();
    }

    /** The stream of a denied cashin ends at once. */
    @Test
    void theCheckoutPageFollowsTheStatus() {
        String denied = calls.pending();
        stored.move(denied, Status.DENIED);
        Answer stream =
                calls.send(gateway.api(), "streamCheckoutStatus", null, denied).expect(200);
        assertThat(stream.body()).contains("event:status").contains("data:denied");
    }

    @Test
    void aPaidCashinHasAReceipt() {
        String paid = calls.pending();
        stored.move(paid, Status.PAID);
        calls.send(gateway.api(), "showReceipt", null, paid).expect(200);
    }

    @Test
    void theFeedHasEventsOfBothOperations() {
        feed.hasEventsOfBothOperations();
    }

    @Test
    void theStatementHasEntriesAndTheBalance() {
        stored.post(merchant, gateway.clock().instant(), "cashin", 10_000, -151);
        assertThat(calls.send("readStatement", null).expect(200).json().path("entries"))
                .hasSize(1);
        assertThat(calls.send("exportStatement", null).expect(200).body()).contains(",cashin,100.00,-1.51,98.49,98.49");
        assertThat(calls.send("exportStatementOfx", null).expect(200).body()).contains("<TRNAMT>98.49</TRNAMT>");
        assertThat(calls.send("exportStatementCamt", null).expect(200).body()).contains("<Amt Ccy=\"BRL\">98.49</Amt>");
        assertThat(calls.send("showBalance", null).expect(200).text("balance")).isEqualTo("98.49");
    }

    @Test
    void aBundleIsAnArchiveWhoseKeysArePublished() {
        calls.send("downloadBundle", null, calls.pending()).expect(200);
        calls.send(gateway.api(), "showSigningKeys", null).expect(200);
    }

    @Test
    void theConsoleHasSessionsKeysFiguresAndHistories() {
        String link = calls.send("createConsoleSession", null).expect(201).text("id");
        calls.examples("createConsoleSession").values().forEach(example -> calls.send("createConsoleSession", example)
                .expect(201));
        calls.send("listConsoleSessions", null).expect(200);
        aLinkIsUsedOnce();
        calls.send("endConsoleSession", null, link).expect(204);
        calls.send("listKeys", null).expect(200);
        calls.send("listPlatforms", null).expect(200);
        calls.check("listPlatforms", merchant.api().get("/api/v1/platforms?nothing=1"))
                .expect(422);
        calls.send("showFigures", null).expect(200);
        calls.send("showHistory", null, calls.pending()).expect(200);
    }

    private void aLinkIsUsedOnce() {
        String enter = "enterConsoleSession";
        String url = calls.send("createConsoleSession", null).expect(201).text("url");
        Map<String, String> body = Map.of("code", url.substring(url.lastIndexOf('/') + 1));
        Api withoutKey = gateway.api();
        calls.check(enter, Api.send(calls.request(withoutKey, enter).header("Accept", "text/plain")))
                .expect(406);
        calls.check(
                        enter,
                        Api.send(calls.request(withoutKey, enter)
                                .header("Content-Type", "text/plain")
                                .method("POST", HttpRequest.BodyPublishers.ofString("{}"))))
                .expect(415);
        calls.send(withoutKey, enter, "{").expect(400);
        calls.send(withoutKey, enter, "{\"extra\":\"" + "x".repeat(64 * 1024) + "\"}")
                .expect(413);
        calls.send(withoutKey, enter, "{}").expect(422);
        calls.send(withoutKey, enter, body).expect(200);
        calls.send(withoutKey, enter, body).expect(404);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyDescribedResponseCodeAndFieldWasSeen() {
        Set<String> unseen = new TreeSet<>(contract.describedResponses());
        unseen.removeAll(contract.seenResponses());
        unseen.removeIf(response -> response.matches(NOT_CAUSED_HERE));
        assertThat(unseen).isEmpty();
        Set<String> fields = new TreeSet<>(contract.describedFields());
        fields.removeAll(contract.seenFields());
        assertThat(fields).isEmpty();
    }
}
