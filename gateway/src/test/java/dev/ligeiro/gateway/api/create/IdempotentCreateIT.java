package dev.ligeiro.gateway.api.create;

import static dev.ligeiro.gateway.fixture.TestMerchant.ALL;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class IdempotentCreateIT extends WithGateway {

    private static String newKey() {
        return UUID.randomUUID().toString();
    }

    private static boolean isReplayed(Answer answer) {
        return answer.header("Idempotent-Replayed").equals("true");
    }

    @Test
    void ofManyCreatesWithOneKeyAllGetTheSameTransaction() {
        TestMerchant fresh = gateway.newMerchant();
        String key = newKey();
        List<CompletableFuture<Answer>> calls = IntStream.range(0, 20)
                .mapToObj(i -> fresh.postAsync(CASHOUT, fresh.cashout().put("reference", "once"), key))
                .toList();
        List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();

        Answer first = answers.get(0).expect(201);
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.expect(201).body()).isEqualTo(first.body());
            assertThat(answer.header("Location")).isEqualTo(ONE + first.transactionId());
        });
        assertThat(answers).filteredOn(IdempotentCreateIT::isReplayed).hasSize(19);
        assertThat(fresh.api().get(ALL).json().path("total").asInt()).isEqualTo(1);
        await().until(() -> !commands.transactionsOfPlatform(fresh.platform()).isEmpty());
        commands.readToTheEnd();
        assertThat(commands.transactionsOfPlatform(fresh.platform())).containsExactly(first.transactionId());
    }

    /** A create of now would have another commission. */
    @Test
    void aReplayShowsTheTransactionAsItWasThen() {
        TestMerchant merchant = gateway.newMerchant();
        String key = newKey();
        Answer first = merchant.post(CASHIN, merchant.cashin(), key).expect(201);
        merchant.setFees(Map.of(Operation.CASHIN, new Commission(10_000, new Amount(0))));
        stored.move(first.transactionId(), Status.PAID);

        Answer second = merchant.post(CASHIN, merchant.cashin(), key).expect(201);

        assertThat(isReplayed(first)).isFalse();
        assertThat(isReplayed(second)).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
    }

    /** The bodies have the same values in another form. */
    @Test
    void aReplayComparesValuesInTheirNormalForm() {
        String key = newKey();
        Answer first = merchant.post(CASHIN, merchant.cashin().put("amount", "10.00"), key)
                .expect(201);
        ObjectNode same = merchant.cashin()
                .put("amount", 1e1)
                .put("document", "52998224725")
                .put("phone", "+5511987654321")
                .put("description", " Order 77 ")
                .put("expires_in", 24 * 3600)
                .put("reference", "")
                .put("unknown", 1);

        assertThat(merchant.post(CASHIN, same, key).expect(201).body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @CsvSource({"amount, 10.01", "name, Ana", "description, Order 78", "reference, r", "extra, e", "expires_in, 60"})
    void anotherBodyWithTheKeyIsRefused(String field, String value) {
        String key = newKey();
        String id = merchant.post(CASHIN, merchant.cashin(), key).expect(201).transactionId();
        ObjectNode other = merchant.cashin();
        if (field.equals("expires_in")) {
            other.put(field, Integer.parseInt(value));
        } else {
            other.put(field, value);
        }

        assertReused(merchant.post(CASHIN, other, key), id);
    }

    @Test
    void anotherPlatformReferencePixKeyOrFiscalWithTheKeyIsRefused() {
        String key = newKey();
        String id = merchant.post(CASHOUT, merchant.cashout().put("reference", "first"), key)
                .expect(201)
                .transactionId();

        assertReused(merchant.post(CASHOUT, merchant.cashout(), key), id);
        assertReused(merchant.post(CASHOUT, merchant.cashout().put("reference", "second"), key), id);
        ObjectNode same = merchant.cashout().put("reference", "first");
        assertReused(merchant.post(CASHOUT, same.deepCopy().put("platform", merchant.newPlatform()), key), id);
        assertReused(merchant.post(CASHOUT, same.deepCopy().put("pix_key", "ana@example.com"), key), id);
        ObjectNode fiscal = same.deepCopy();
        fiscal.putObject("fiscal").put("installment", "1/3");
        assertReused(merchant.post(CASHOUT, fiscal, key), id);
    }

    @Test
    void theOtherOperationWithTheKeyIsRefused() {
        String key = newKey();
        String id = merchant.post(CASHIN, merchant.cashin(), key).expect(201).transactionId();

        assertReused(merchant.post(CASHOUT, merchant.cashout(), key), id);
    }

    @Test
    void theKeyIsCheckedBeforeTheReference() {
        String key = newKey();
        ObjectNode body = merchant.cashin().put("reference", "with a key");
        Answer first = merchant.post(CASHIN, body, key).expect(201);

        assertThat(merchant.post(CASHIN, body, key).expect(201).body()).isEqualTo(first.body());
        assertReused(merchant.post(CASHIN, body.deepCopy().put("amount", 1), key), first.transactionId());
        assertThat(merchant.post(CASHIN, body, newKey())
                        .expectProblem(409, "reference_already_used")
                        .text("transaction_id"))
                .isEqualTo(first.transactionId());
        merchant.api().post(CASHIN, body).expectProblem(409, "reference_already_used");
    }

    /** Two requests, each with the key of one transaction and the reference of another. */
    @Test
    void theHolderOfTheKeyDecides() {
        String key = newKey();
        Answer withKey = merchant.post(CASHIN, merchant.cashin(), key).expect(201);
        merchant.created(merchant.cashin().put("reference", "of another"));

        assertReused(
                merchant.post(CASHIN, merchant.cashin().put("reference", "of another"), key), withKey.transactionId());
    }

    @Test
    void theKeyOfACancelIsRefused() {
        String key = newKey();
        String id = merchant.created(merchant.cashin());
        CompletableFuture<Answer> cancel = merchant.postAsync(ONE + id + "/cancel", "", key);
        new PlayedProcessor(gateway).make(id, 1);
        // 202 if the outcome came after the 2 s for which the gateway waits
        assertThat(cancel.join().status()).isIn(200, 202);

        assertReused(merchant.post(CASHIN, merchant.cashin(), key), id);
    }

    /** A bank is asked to remove the charge. With the fault, the create was answered 503. */
    @Test
    void theKeyOfAnOpenCancelIsRefused() {
        String key = newKey();
        String id = merchant.created(merchant.cashin());
        Instant now = Instant.now();
        stored.replace(stored.find(id)
                .accept()
                .with(RailCall.first(null, now, now).canceling(new ChangeRef(UUID.randomUUID(), key), now)));

        assertReused(merchant.post(CASHIN, merchant.cashin(), key), id);
    }

    @Test
    void aWrongKeyIsNamedTogetherWithTheOtherFields() {
        Answer refused = merchant.post(CASHIN, merchant.cashin().put("amount", 0), "k".repeat(256))
                .expectProblem(422, "validation_failed");

        assertThat(refused.fieldErrors()).containsExactlyInAnyOrder("Idempotency-Key:too_long", "amount:invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "\"quoted\"", "two words", "~!#$,;", "LONGEST"})
    void aKeyOfPrintableAsciiIsTakenAsItIs(String given) {
        String key = given.equals("LONGEST") ? "k".repeat(255) : given;

        Answer first = merchant.post(CASHIN, merchant.cashin(), key).expect(201);

        assertThat(isReplayed(merchant.post(CASHIN, merchant.cashin(), key))).isTrue();
        assertThat(isReplayed(first)).isFalse();
    }

    /** Sent as bytes, because HTTP clients refuse some of these headers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Idempotency-Key: a\tb",
                "Idempotency-Key: é",
                "Idempotency-Key:",
                "Idempotency-Key:   ",
                "Idempotency-Key: a\r\nIdempotency-Key: a",
                "Idempotency-Key: a\r\nidempotency-key: b",
            })
    void aKeyOfAnotherFormStoresNothing(String header) {
        TestMerchant fresh = gateway.newMerchant();
        String cashin = fresh.cashin().toString();
        try (RawConnection connection = new RawConnection(gateway.port())) {
            connection.send(
                    "POST " + CASHIN + "?a=b HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + fresh.key()
                            + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                            + cashin.getBytes(StandardCharsets.UTF_8).length + "\r\n" + header + "\r\n\r\n" + cashin);

            assertThat(connection.readAll())
                    .startsWith("HTTP/1.1 422 ")
                    .containsIgnoringCase("x-request-id: ")
                    .containsIgnoringCase("content-type: application/problem+json")
                    .contains("\"instance\":\"" + CASHIN + "\"")
                    .contains("\"errors\":[{\"field\":\"Idempotency-Key\",\"code\":\"invalid\",");
        }
        assertThat(fresh.api().get(ALL).json().path("total").asInt()).isZero();
    }

    private static void assertReused(Answer answer, String holder) {
        assertThat(answer.expectProblem(422, "idempotency_key_reused").text("transaction_id"))
                .isEqualTo(holder);
    }
}
