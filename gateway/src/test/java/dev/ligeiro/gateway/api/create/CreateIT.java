package dev.ligeiro.gateway.api.create;

import static dev.ligeiro.gateway.fixture.TestMerchant.CASHIN;
import static dev.ligeiro.gateway.fixture.TestMerchant.CASHOUT;
import static dev.ligeiro.gateway.fixture.TestMerchant.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.Bodies;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CreateIT extends WithGateway {

    private static final String UUID_FORM = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    @Test
    void theFieldsOfACashinHaveTheirValues() {
        String extra = "  order 77\n\t\"quoted\" \\ é 😀 ";
        ObjectNode body = merchant.cashin().put("reference", "cashin-1").put("extra", extra);
        body.putObject("fiscal")
                .put("installment", " 1/3 ")
                .put("document_key", "35261112345678000195550010000000771000000773");

        Answer answer = merchant.api().post(CASHIN, body).expect(201);

        JsonNode cashin = answer.transaction();
        assertCommonFields(cashin, "cashin");
        assertThat(cashin.path("reference").stringValue()).isEqualTo("cashin-1");
        assertThat(cashin.path("extra").stringValue()).isEqualTo(extra);
        assertThat(cashin.path("fiscal").toString())
                .isEqualTo(body.path("fiscal").toString());
        assertThat(cashin.path("txid").stringValue())
                .isEqualTo(cashin.path("id").stringValue().replace("-", ""));
        assertThat(cashin.path("payment_link").stringValue())
                .isEqualTo(gateway.url() + "/checkout/" + cashin.path("id").stringValue());
        assertThat(cashin.path("qr_code").stringValue()).contains("5406150.75", "5910Cafe do Ze");
        assertThat(cashin.path("qr_code_image").stringValue()).startsWith("data:image/png;base64,");
    }

    @Test
    void theFieldsOfACashoutHaveTheirValues() {
        JsonNode cashout =
                merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transaction();

        assertCommonFields(cashout, "cashout");
        assertThat(cashout.path("pix_key").stringValue()).isEqualTo("maria.souza@example.com");
        assertThat(cashout.path("reference").stringValue()).isEmpty();
        assertThat(cashout.path("extra").stringValue()).isEmpty();
    }

    private void assertCommonFields(JsonNode transaction, String operation) {
        assertThat(transaction.path("id").stringValue()).matches(UUID_FORM);
        assertThat(transaction.path("amount").stringValue()).isEqualTo("150.75");
        assertThat(transaction.path("commission").stringValue()).isEqualTo("0.00");
        assertThat(transaction.path("description").stringValue()).isEqualTo("Order 77");
        assertThat(transaction.path("document").stringValue()).isEqualTo("52998224725");
        assertThat(transaction.path("email").stringValue()).isEqualTo(Bodies.EMAIL);
        assertThat(transaction.path("name").stringValue()).isEqualTo(Bodies.NAME);
        assertThat(transaction.path("phone").stringValue()).isEqualTo("+5511987654321");
        assertThat(transaction.path("platform").stringValue()).isEqualTo(merchant.platform());
        assertThat(transaction.path("operation").stringValue()).isEqualTo(operation);
        assertThat(transaction.path("status").stringValue()).isEqualTo("pending");
        assertThat(transaction.path("e2e_id").stringValue()).matches("E99999999[0-9]{12}[0-9A-Za-z]{11}");
        assertThat(transaction.path("finished").stringValue()).isEmpty();
        String created = transaction.path("date_created").stringValue();
        LocalDateTime now = LocalDateTime.ofInstant(gateway.clock().instant(), ZoneId.of("America/Sao_Paulo"));
        assertThat(LocalDateTime.parse(created, TIME)).isBetween(now.minusMinutes(1), now);
        assertThat(transaction.path("events").toString())
                .isEqualTo("[{\"date_created\":\"" + created + "\",\"status\":\"pending\"}]");
    }

    @Test
    void theResponseHasTheLocationOfTheTransaction() {
        Answer created = merchant.api().post(CASHIN, merchant.cashin()).expect(201);

        assertThat(created.header("Content-Type")).isEqualTo("application/json");
        assertThat(created.header("X-Request-Id")).isNotBlank();
        assertThat(created.header("Location")).isEqualTo(ONE + created.transactionId());
        Answer shown = merchant.api().get(created.header("Location")).expect(200);
        assertThat(shown.body()).isEqualTo(created.body());
    }

    @Test
    void ofManyCreatesWithOneReferenceOneWins() {
        ObjectNode body = merchant.cashin().put("reference", "contested");
        List<CompletableFuture<Answer>> calls = IntStream.range(0, 20)
                .mapToObj(i -> merchant.api().postAsync(CASHIN, body))
                .toList();
        List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();

        List<Answer> created =
                answers.stream().filter(answer -> answer.status() == 201).toList();
        assertThat(created).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 201)
                .hasSize(19)
                .allSatisfy(answer -> {
                    answer.expectProblem(409, "reference_already_used");
                    assertThat(answer.text("transaction_id"))
                            .isEqualTo(created.get(0).transactionId());
                });
    }

    @Test
    void aReferenceIsUniqueAcrossOperations() {
        String first = merchant.created(merchant.cashin().put("reference", "both"));

        Answer second = merchant.api().post(CASHOUT, merchant.cashout().put("reference", " both "));

        assertThat(second.expectProblem(409, "reference_already_used").text("transaction_id"))
                .isEqualTo(first);
    }

    /** A failed insert fails only its own request; the others of its batch are stored. */
    @Test
    void oneDuplicateDoesNotFailTheOthersOfItsBatch() {
        merchant.created(merchant.cashin().put("reference", "taken"));
        List<CompletableFuture<Answer>> calls = IntStream.range(0, 60)
                .mapToObj(i -> merchant.api()
                        .postAsync(CASHIN, merchant.cashin().put("reference", i % 3 == 0 ? "taken" : "free-" + i)))
                .toList();

        for (int i = 0; i < calls.size(); i++) {
            Answer answer = calls.get(i).join().expect(i % 3 == 0 ? 409 : 201);
            if (i % 3 != 0) {
                merchant.api().get(ONE + answer.transactionId()).expect(200);
            }
        }
    }

    @Test
    void theCommissionIsFrozenAtCreation() {
        TestMerchant charged = TestMerchant.on(
                gateway,
                "Loja",
                Map.of(
                        Operation.CASHIN, new Commission(12_500, new Amount(10)),
                        Operation.CASHOUT, new Commission(0, new Amount(200))));
        Answer before = charged.api().post(CASHIN, charged.cashin()).expect(201);
        assertThat(before.transaction().path("commission").stringValue()).isEqualTo("1.98");

        charged.setFees(Map.of(Operation.CASHIN, new Commission(1_000_000, new Amount(0))));

        assertThat(charged.api()
                        .get(before.header("Location"))
                        .transaction()
                        .path("commission")
                        .stringValue())
                .isEqualTo("1.98");
        assertThat(charged.api()
                        .post(CASHIN, charged.cashin())
                        .transaction()
                        .path("commission")
                        .stringValue())
                .isEqualTo("150.75");
        assertThat(charged.api()
                        .post(CASHOUT, charged.cashout())
                        .transaction()
                        .path("commission")
                        .stringValue())
                .isEqualTo("0.00");
    }

    /** The processor therefore need not read the transaction. */
    @Test
    void aCommandCarriesTheWholeTransaction() {
        String cashin =
                merchant.created(merchant.cashin().put("reference", "r-1").put("extra", " é\n"));
        String cashout =
                merchant.api().post(CASHOUT, merchant.cashout()).expect(201).transactionId();

        for (String id : List.of(cashin, cashout)) {
            await().until(() -> !commands.of(id).isEmpty());
            commands.readToTheEnd();
            assertThat(commands.of(id)).containsExactly(new TransactionCommand.Process(stored.find(id)));
        }
    }

    @Test
    void everyTransactionOfABurstIsPublishedOnce() {
        List<CompletableFuture<Answer>> calls = IntStream.range(0, 300)
                .mapToObj(i -> merchant.api().postAsync(CASHIN, merchant.cashin()))
                .toList();
        List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();
        List<String> ids = answers.stream()
                .filter(answer -> answer.status() == 201)
                .map(Answer::transactionId)
                .toList();
        // a busy machine refuses some
        assertThat(answers).extracting(Answer::status).isSubsetOf(201, 503);
        assertThat(ids).hasSizeGreaterThan(50);

        await().until(() -> ids.stream().noneMatch(id -> commands.of(id).isEmpty()));
        commands.readToTheEnd();
        assertThat(ids).allSatisfy(id -> assertThat(commands.of(id)).hasSize(1));
    }
}
