package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.webhook.DeliveryStatus;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Walks every route of the description with the ids of one merchant and the key of another, or of another mode. */
class OtherMerchantIT extends WithGateway {

    private static final String REFERENCE = "order-of-the-first";
    private static final String KEY = "key-of-the-first";

    private final Calls calls;
    private final String transaction;
    private final String endpoint;
    private final String delivery;
    private final String replay;
    private final String cursor;

    OtherMerchantIT() {
        this.calls = new Calls(new Contract(ApiDescription.read()), merchant);
        this.transaction = calls.sendWithKey("createCashin", cashin(merchant), KEY)
                .expect(201)
                .transactionId();
        this.endpoint = calls.endpoint();
        stored.insert(Deliveries.delivery(Deliveries.id(UUID.fromString(endpoint), 1), DeliveryStatus.EXHAUSTED));
        this.delivery = calls.send("listDeliveries", null, endpoint)
                .json()
                .at("/deliveries/0/id")
                .stringValue();
        this.replay = calls.send("startReplay", calls.example("startReplay", "missed"), endpoint)
                .expect(202)
                .text("id");
        this.cursor = calls.send("readEvents", null).text("next_cursor");
    }

    private static ObjectNode cashin(TestMerchant merchant) {
        return merchant.cashin().put("reference", REFERENCE);
    }

    @Test
    void noRouteShowsOrChangesWhatBelongsToAnother() {
        Api second = gateway.newMerchant().api();
        Api live = merchant.live().api();
        List<String> before = ofTheFirst();

        for (Api other : List.of(second, live)) {
            calls.keyed().forEach(operation -> {
                String body = operation.hasBody() ? "{}" : null;
                Answer answer = calls.send(other, operation.id(), body, ids(operation));
                if (operation.path().contains("{")) {
                    assertThat(answer.status())
                            .as("%s: %s", operation, answer.body())
                            .isIn(404, 403);
                    assertThat(answer.text("detail"))
                            .as("%s is answered as one that does not exist", operation)
                            .isEqualTo(calls.send(other, operation.id(), body, Calls.random())
                                    .text("detail"));
                }
                assertShowsNothing(operation, answer);
            });
        }

        assertThat(ofTheFirst()).isEqualTo(before);
    }

    @Test
    void noFilterFindsWhatBelongsToAnother() {
        TestMerchant second = gateway.newMerchant();
        Stream.of(
                        "listTransactions?identifier=" + transaction,
                        "listTransactions?reference=" + REFERENCE,
                        "listTransactions?platform=" + merchant.platform(),
                        "exportTransactions?identifier=" + transaction,
                        "exportTransactions?reference=" + REFERENCE,
                        "exportTransactions?platform=" + merchant.platform(),
                        "readEvents?after=" + cursor)
                .map(each -> each.split("\\?"))
                .forEach(each -> {
                    DocumentedOperation operation = calls.operation(each[0]);
                    Answer answer = second.api().get(operation.path() + "?" + each[1]);
                    assertShowsNothing(operation, calls.check(operation.id(), answer));
                });
    }

    @Test
    void platformsReferencesAndIdempotencyKeysBelongToAMerchant() {
        TestMerchant second = gateway.newMerchant();
        assertThat(calls.send(second.api(), "createCashin", merchant.cashin())
                        .expect(422)
                        .fieldErrors())
                .containsExactly("platform:unknown");
        Answer created = new Calls(new Contract(ApiDescription.read()), second)
                .sendWithKey("createCashin", cashin(second), KEY)
                .expect(201);
        assertThat(created.header("Idempotent-Replayed")).isEmpty();
        assertThat(created.transactionId()).isNotEqualTo(transaction);
    }

    /** In place of the path's parameters. */
    private String[] ids(DocumentedOperation operation) {
        return operation.parameters("path").stream()
                .map(parameter -> parameter.path("name").stringValue())
                .map(name -> switch (name) {
                    case "delivery_id" -> delivery;
                    case "replay_id" -> replay;
                    default -> operation.path().contains("/webhooks/") ? endpoint : transaction;
                })
                .toArray(String[]::new);
    }

    private List<String> ofTheFirst() {
        return Stream.of(
                        calls.send("showTransaction", null, transaction),
                        calls.send("showWebhook", null, endpoint),
                        calls.send("listDeliveries", null, endpoint))
                .map(answer -> answer.expect(200).body())
                .toList();
    }

    /** The path of a problem repeats the path of the request. */
    private void assertShowsNothing(DocumentedOperation operation, Answer answer) {
        String body = answer.body().replaceFirst("\"instance\":\"[^\"]*\"", "");
        assertThat(body)
                .as("%s", operation)
                .doesNotContain(transaction, endpoint, delivery, replay, REFERENCE, merchant.platform());
    }
}
