package dev.ligeiro.desk.money;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Stored;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Proposals and confirmations of operators. Processors, which do not run here, carry out the confirmed ones. */
@ExtendWith(SharedDesk.class)
class ResolutionIT {

    private static final String PATH = "/admin/resolutions";
    private static final String PAID =
            ",\"e2e_id\":\"E9999900420260310120000000000001\",\"paid_at\":\"2026-03-10T12:00:00-03:00\"";

    private final Stored stored;
    /** They have the role money both. */
    private final Api admin;

    private final Api treasurer;
    private final Api operator;

    ResolutionIT(RunningDesk desk) {
        this.stored = Stored.of(desk);
        this.admin = desk.admin();
        this.treasurer = admin.withToken(RunningDesk.MONEY_TOKEN);
        this.operator = admin.withToken(RunningDesk.OPERATOR_TOKEN);
    }

    @Test
    void oneOperatorProposesAndAnotherOneConfirms() {
        Transaction cashout = unknownCashout(Duration.ofDays(2));
        JsonNode proposed = admin.post(PATH, denied(cashout)).expect(201).json();
        String one = PATH + "/" + proposed.path("id").asString();
        assertThat(proposed.path("state").asString()).isEqualTo("proposed");

        admin.post(one + "/confirm", "{}").expectProblem(403, "second_operator_needed");
        operator.post(one + "/confirm", "{}").expectProblem(403, "insufficient_role");
        JsonNode confirmed = treasurer
                .post(one + "/confirm", "{\"reason\":\"seen\"}")
                .expect(200)
                .json();

        assertThat(confirmed.path("state").asString()).isEqualTo("confirmed");
        assertThat(confirmed.path("proposed_by").asString()).isEqualTo("admin");
        assertThat(confirmed.path("decided_by").asString()).isEqualTo("treasurer");
        assertThat(confirmed.path("reason").asString()).isEqualTo("the bank says so");
        assertThat(admin.get(one).expect(200).json()).isEqualTo(confirmed);
        treasurer.post(one + "/confirm", "{}").expectProblem(409, "not_resolvable");
        admin.post(one + "/withdraw", "{\"reason\":\"late\"}").expectProblem(409, "not_resolvable");
        assertThat(admin.get(PATH + "?state=confirmed")
                        .expect(200)
                        .json()
                        .path("resolutions")
                        .valueStream())
                .contains(confirmed);
    }

    @Test
    void ofTwoOppositeDecisionsOneIsOpen() {
        Transaction cashout = unknownCashout(Duration.ofDays(2));

        List<Integer> statuses = Stream.of(denied(cashout), paid(cashout), denied(cashout), paid(cashout))
                .map(body -> CompletableFuture.supplyAsync(
                        () -> admin.post(PATH, body).status()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .sorted()
                .toList();

        assertThat(statuses).containsExactly(201, 409, 409, 409);
        treasurer.post(PATH, denied(cashout)).expectProblem(409, "resolution_open");
        String open = PATH + "/" + id(admin.get(PATH + "?state=proposed").expect(200), cashout);
        admin.post(open + "/withdraw", "{}").expectProblem(422, "validation_failed");
        assertThat(admin.post(open + "/withdraw", "{\"reason\":\"wrong\"}")
                        .expect(200)
                        .text("state"))
                .isEqualTo("withdrawn");
        treasurer.post(PATH, denied(cashout)).expect(201);
    }

    private static String id(Answer list, Transaction of) {
        return list.json()
                .path("resolutions")
                .valueStream()
                .filter(one -> one.path("transaction").asString().equals(of.id().toString()))
                .findFirst()
                .orElseThrow()
                .path("id")
                .asString();
    }

    @Test
    void aRailThatMayStillAnswerIsWaitedFor() {
        Transaction young = unknownCashout(Duration.ofHours(23));

        Answer refused = admin.post(PATH, denied(young)).expectProblem(409, "not_resolvable");

        assertThat(Instant.parse(refused.text("resolvable_at")))
                .isEqualTo(young.history().statusSince().plus(Duration.ofDays(1)));
    }

    @Test
    void whatHasSettledMeanwhileIsOutdated() {
        Transaction cashout = unknownCashout(Duration.ofDays(2));
        String one = PATH + "/" + admin.post(PATH, denied(cashout)).expect(201).text("id");
        stored.insert(cashout.moveTo(Status.PAID, Instant.now(), Source.RAIL).closeCall(null));

        treasurer.post(one + "/confirm", "{}").expectProblem(409, "not_resolvable");

        assertThat(admin.get(one).expect(200).text("state")).isEqualTo("outdated");
        admin.post(PATH, denied(cashout)).expectProblem(409, "not_resolvable");
    }

    @Test
    void aRefundIsNamedWithItsTransaction() {
        Instant asked = Instant.now().minus(Duration.ofDays(3));
        RefundId refund = new RefundId(UuidV7.at(asked.toEpochMilli()));
        Transaction cashin = Transactions.cashin(TransactionId.at(asked), new Amount(10_000))
                .moveTo(Status.PAID, asked, Source.RAIL)
                .with(new Entry.RefundRequested(refund, new Amount(100), Source.MERCHANT, null, null, asked, null))
                .with(RailCall.first(refund, asked, asked));
        stored.insert(cashin);
        String body = "{\"transaction\":\"%s\",\"refund\":\"%s\",\"decision\":\"made\",\"reason\":\"r\"}";

        admin.post(PATH, body.formatted(cashin.id(), UuidV7.at(asked.toEpochMilli())))
                .expectProblem(404, "not_found");
        admin.post(PATH, body.formatted(cashin.id(), refund)).expect(201);
        admin.post(PATH, denied(cashin)).expectProblem(409, "not_resolvable");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                                        | decision",
                "{'decision':'burn','reason':'r'}                                          | decision",
                "{'decision':'paid','transaction':'ID','reason':'r'}                       | e2e_id",
                "{'decision':'denied','transaction':'ID'}                                  | reason",
                "{'decision':'denied','reason':'r'}                                        | transaction",
                "{'decision':'denied','transaction':'ID','refund':'ID','reason':'r'}       | refund",
                "{'decision':'made','transaction':'ID','reason':'r'}                       | refund",
                "{'decision':'credit','transaction':'ID','reason':'r'}                     | unmatched_payment",
                "{'decision':'assign','unmatched_payment':'x','reason':'r'}                | transaction",
                "{'decision':'keep','unmatched_payment':'x','e2e_id':'E1','reason':'r'}    | e2e_id",
                "{'decision':'denied','unmatched_payment':'x','transaction':'ID','reason':'r'} | unmatched_payment",
                "{'decision':'paid','transaction':'ID','e2e_id':'E9999900420260310120000000000001','paid_at':'2099-01-01T00:00:00Z','reason':'r'} | paid_at",
            })
    void aMalformedProposalIsRefused(String body, String field) {
        String json = body.replace('\'', '"')
                .replace("ID", TransactionId.at(Instant.now()).toString());

        Answer refused = admin.post(PATH, json).expectProblem(422, "validation_failed");

        assertThat(refused.json().path("errors").valueStream().map(error -> error.path("field")
                        .asString()))
                .contains(field);
    }

    @Test
    void anUnmatchedPaymentGoesToItsOwnMerchantOnly() {
        Tenant tenant = new Tenant(44_002);
        Transaction canceled = cashin(tenant, 700).moveTo(Status.CANCELED, Instant.now(), Source.MERCHANT);
        Transaction pending = cashin(tenant, 700).accept();
        Transaction another = cashin(tenant, 800).accept();
        Transaction elsewhere = cashin(new Tenant(44_004), 700).accept();
        Stream.of(canceled, pending, another, elsewhere).forEach(stored::insert);
        String payment = stored.unmatched(canceled.id(), 700L);

        assign(payment, elsewhere).expectProblem(422, "validation_failed");
        assign(payment, another).expectProblem(422, "validation_failed");
        assign(payment, canceled).expectProblem(409, "not_resolvable");
        admin.post(PATH, payment("credit", payment, elsewhere)).expectProblem(422, "validation_failed");
        admin.post(PATH, payment("credit", "simulator/E-none", pending)).expectProblem(404, "not_found");
        // there is no bank that could send it back
        admin.post(PATH, payment("return", payment, null)).expectProblem(422, "validation_failed");
        assign(payment, pending).expect(201);
        admin.post(PATH, payment("keep", payment, null)).expectProblem(409, "resolution_open");
    }

    @Test
    void aPaymentThatIsResolvedLeavesTheList() {
        Transaction canceled = cashin(new Tenant(44_006), 700).moveTo(Status.CANCELED, Instant.now(), Source.MERCHANT);
        stored.insert(canceled);
        String open = stored.unmatched(canceled.id(), 700L);
        String resolved = "simulator/E-resolved-" + canceled.id();
        Document decision = new Document("resolution", canceled.id().value())
                .append("decision", "keep")
                .append("tenant", 44_006L)
                .append("transactionId", canceled.id().value())
                .append("at", new Date());
        stored.insert(
                CollectionNames.UNMATCHED_PAYMENTS,
                Stored.unmatched(resolved, canceled.id(), Instant.now(), 700L).append("resolved", decision));

        // behind the payments of other tests
        String after = "after=" + canceled.id().createdAt().toEpochMilli() + "-0";
        assertThat(listed("?" + after)).contains(open).doesNotContain(resolved);
        assertThat(listed("?state=resolved&" + after)).contains(resolved).doesNotContain(open);
        admin.post(PATH, payment("keep", resolved, null)).expectProblem(409, "not_resolvable");
        admin.get("/admin/unmatched-payments?state=all").expectProblem(422, "validation_failed");
    }

    @Test
    void aPaymentOfAnUnknownTransactionIsKeptInTheBooksOfANamedMerchant() {
        String payment = stored.unmatched(TransactionId.at(Instant.now()), 700L);
        Transaction named = cashin(new Tenant(44_008), 900).accept();
        stored.insert(named);

        admin.post(PATH, payment("keep", payment, null)).expectProblem(422, "validation_failed");
        admin.post(PATH, payment("keep", payment, named)).expect(201);
    }

    /** Nothing can be booked to a merchant. */
    @Test
    void aPaymentWithoutAnAmountCanOnlyBeKept() {
        Transaction canceled = cashin(new Tenant(44_010), 700).moveTo(Status.CANCELED, Instant.now(), Source.MERCHANT);
        stored.insert(canceled);
        String payment = stored.unmatched(canceled.id(), null);

        admin.post(PATH, payment("credit", payment, canceled)).expectProblem(422, "validation_failed");
        admin.post(PATH, payment("keep", payment, null)).expect(201);
    }

    @Test
    void anInstallationMayNeedOneOperatorOnly() {
        try (RunningDesk alone = RunningDesk.start("ligeiro.resolutions.operators=1")) {
            Transaction cashout =
                    Stored.of(alone).insert(Stored.unknown(Instant.now().minus(Duration.ofDays(2))));

            Answer proposed = alone.admin().post(PATH, denied(cashout)).expect(201);

            assertThat(proposed.text("state")).isEqualTo("confirmed");
            assertThat(proposed.text("decided_by")).isEqualTo("admin");
        }
    }

    private Answer assign(String payment, Transaction target) {
        return admin.post(PATH, payment("assign", payment, target));
    }

    private List<String> listed(String query) {
        return admin.get("/admin/unmatched-payments" + query)
                .expect(200)
                .json()
                .path("unmatched_payments")
                .valueStream()
                .map(one -> one.path("id").asString())
                .toList();
    }

    private static String denied(Transaction transaction) {
        return "{\"transaction\":\"%s\",\"decision\":\"denied\",\"reason\":\"the bank says so\"}"
                .formatted(transaction.id());
    }

    private static String paid(Transaction transaction) {
        return "{\"transaction\":\"%s\",\"decision\":\"paid\",\"reason\":\"the bank says so\"%s}"
                .formatted(transaction.id(), PAID);
    }

    private static String payment(String decision, String payment, @Nullable Transaction transaction) {
        String named = transaction == null ? "" : ",\"transaction\":\"" + transaction.id() + "\"";
        return "{\"unmatched_payment\":\"%s\",\"decision\":\"%s\",\"reason\":\"r\"%s}"
                .formatted(payment, decision, named);
    }

    private Transaction unknownCashout(Duration age) {
        return stored.insert(Stored.unknown(Instant.now().minus(age)));
    }

    private static Transaction cashin(Tenant tenant, long cents) {
        return Transactions.like(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(cents)))
                .tenant(tenant)
                .build();
    }
}
