package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.processor.rail.bank.RunningBank;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The books of a bank's customer, compared with the bank's own lists. */
class BankReconcileIT {

    private static final String UNKNOWN = "E99999004202601010000unknown0001";

    private final RunningBank bank = new RunningBank(settings -> settings.settlesAfter(Duration.ofMillis(1)));
    private final ReconciledBooks books = new ReconciledBooks(bank);
    private final Instant yesterday = books.since.plus(Duration.ofHours(2));

    @AfterEach
    void close() {
        books.close();
        bank.close();
    }

    @Test
    void booksThatSayWhatTheBankSaysHaveNoBreak() {
        for (int i = 0; i < 250; i++) {
            post(pay("7.00", yesterday.plusMillis(i)), 7_00, yesterday.plusMillis(i));
        }
        String refunded = pay("9.00", yesterday);
        post(refunded, 9_00, yesterday);
        post(refunded + "/" + hash(refundByBank(refunded, "2.00")), -2_00, Instant.now());
        UUID refund = UUID.randomUUID();
        refund(refunded, refund, "3.00");
        post(refunded + "/" + RunningBank.hex(refund), -3_00, Instant.now());
        UUID cashout = UUID.randomUUID();
        post(send(cashout, "11.00"), -11_00, Instant.now());

        books.compareHours();
        books.compareDays();

        assertThat(books.open()).isEmpty();
        assertThat(books.closed()).isEmpty();
        assertThat(books.unreconciled()).isZero();
    }

    @Test
    void eachDifferenceIsItsBreak() {
        String right = pay("7.00", yesterday);
        post(right, 7_00, yesterday);
        String otherAmount = pay("7.01", yesterday);
        post(otherAmount, 7_00, yesterday);
        String otherDirection = pay("7.00", yesterday);
        post(otherDirection, -7_00, yesterday);
        String notBooked = pay("7.00", yesterday);
        String twice = pay("7.00", yesterday);
        post(twice, 7_00, yesterday);
        post(twice, 7_00, yesterday.plusSeconds(1));
        post(UNKNOWN, 7_00, yesterday);
        String withoutRefund = right + "/" + RunningBank.hex(UUID.randomUUID());
        post(withoutRefund, -1_00, yesterday);
        String withoutPosting = right + "/" + refundByBank(right, "2.00");
        String neverSent = UNKNOWN.replace("known", "sent00");
        post(neverSent, -5_00, yesterday);
        String sentUnknown = send(UUID.randomUUID(), "11.00");

        books.compareHours();
        books.compareDays();

        assertThat(books.open())
                .containsExactlyInAnyOrder(
                        "amount " + otherAmount + " 700 701",
                        "amount " + otherDirection + " -700 700",
                        "missing_here " + notBooked + " null 700",
                        "twice " + twice + " 1400 700",
                        "missing_there " + UNKNOWN + " 700 null",
                        "missing_there " + withoutRefund + " -100 null",
                        "missing_here " + withoutPosting + " null -200",
                        "missing_there " + neverSent + " -500 null",
                        "missing_here " + sentUnknown + " null -1100");
        assertThat(books.closed()).isEmpty();
        assertThat(books.unreconciled()).isZero();
    }

    /** A refund is in the list of its payment's day, and a bank may date a payment back to a day that was read. */
    @Test
    void theBankIsAskedAboutWhatItsListsOfTheDayDoNotHave() {
        String old = pay("9.00", books.since.minus(Duration.ofDays(40)));
        UUID refund = UUID.randomUUID();
        refund(old, refund, "3.00");
        post(old + "/" + RunningBank.hex(refund), -3_00, Instant.now());
        String datedBack = pay("7.00", books.since.minus(Duration.ofDays(2)));
        post(datedBack, 7_00, yesterday);
        UUID cashout = UUID.randomUUID();
        send(cashout, "11.00");
        // an operator has found out that it was paid, and the bank's end-to-end id is unknown
        post(cashout.toString(), -11_00, Instant.now());

        books.compareDays();

        assertThat(books.open()).isEmpty();
        assertThat(books.unreconciled()).isZero();
    }

    /** Also if it comes when its day was read twice without it, or under another id than the bank's, which nobody knows before it is booked. */
    @Test
    void aPostingThatComesLateClosesItsBreak() {
        String late = pay("7.00", yesterday);
        String lateAndOther = pay("7.00", yesterday);
        String daysLate = pay("7.00", yesterday);
        String payment = pay("9.00", yesterday);
        post(payment, 9_00, yesterday);
        String refund = refundByBank(payment, "2.00");
        UUID cashout = UUID.randomUUID();
        String sent = send(cashout, "11.00");
        books.compareHours();
        assertThat(books.open()).hasSize(4);

        post(late, 7_00, Instant.now());
        post(lateAndOther, 6_00, Instant.now());
        books.compareDays();
        assertThat(books.open()).hasSize(4).contains("amount " + lateAndOther + " 600 700");
        assertThat(books.closed()).containsExactly("missing_here " + late + " null 700 matched");

        post(daysLate, 7_00, books.clock.instant());
        post(payment + "/" + hash(refund), -2_00, books.clock.instant());
        post(cashout.toString(), -11_00, books.clock.instant());
        books.clock.move(Duration.ofDays(1));
        books.compareDays();

        assertThat(books.open()).containsExactly("amount " + lateAndOther + " 600 700");
        assertThat(books.closed())
                .containsExactlyInAnyOrder(
                        "missing_here " + late + " null 700 matched",
                        "missing_here " + daysLate + " null 700 matched",
                        "missing_here " + payment + "/" + refund + " null -200 matched",
                        "missing_here " + sent + " null -1100 matched");
    }

    @Test
    void anHourWaitsForTheBooks() {
        String late = pay("7.00", yesterday);
        books.booksLag = true;
        books.compareDays();
        assertThat(books.open()).isEmpty();

        post(late, 7_00, yesterday);
        books.booksLag = false;
        books.compareDays();

        assertThat(books.open()).isEmpty();
        assertThat(books.closed()).isEmpty();
    }

    @Test
    void whatAnOperatorHasClosedStaysClosedUntilItDiffersOtherwise() {
        String notBooked = pay("7.00", yesterday);
        String changes = pay("7.00", yesterday);
        books.compareHours();
        books.close(notBooked, "a test payment");
        books.close(changes, "a test payment");

        post(changes, 6_00, yesterday);
        books.compareDays();

        assertThat(books.open()).containsExactly("amount " + changes + " 600 700");
        assertThat(books.closed()).containsExactly("missing_here " + notBooked + " null 700 a test payment");
    }

    @Test
    @Tag("nightly")
    void aPassThatFailsGoesOnWhereItWas() {
        String notBooked = pay("7.00", yesterday);
        post(UNKNOWN, 7_00, yesterday);
        bank.faults(0.4, "error_before");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> books.compareDays()).hasMessageContaining("status");
        }
        bank.noFaults();

        books.compareDays();
        List<String> found = books.open();
        ListProgress end = books.progress();
        // as if it had been killed after all writes but that of its progress
        books.beginAt(books.since);
        books.compareHours();

        assertThat(found)
                .containsExactlyInAnyOrder(
                        "missing_here " + notBooked + " null 700", "missing_there " + UNKNOWN + " 700 null");
        assertThat(books.open()).isEqualTo(found);
        assertThat(books.progress()).isEqualTo(end);
    }

    private void post(String railId, long cents, Instant at) {
        books.post(railId, cents, at);
    }

    private String pay(String amount, Instant at) {
        return bank.post(
                        "POST",
                        "/payer/pay",
                        "{\"key\":\"%s\",\"amount\":\"%s\",\"at\":\"%s\"}".formatted(bank.bank.pixKey(), amount, at))
                .path("e2e_id")
                .asString();
    }

    private String refundByBank(String payment, String amount) {
        String id = bank.post(
                        "POST",
                        "/payer/refund",
                        "{\"e2e_id\":\"%s\",\"amount\":\"%s\",\"nature\":\"MED_FRAUDE\"}".formatted(payment, amount))
                .path("id")
                .asString();
        awaitStatus("/v2/pix/" + payment + "/devolucao/" + id, "DEVOLVIDO");
        return id;
    }

    private void refund(String payment, UUID id, String amount) {
        String path = "/v2/pix/" + payment + "/devolucao/" + RunningBank.hex(id);
        bank.account(books.clock).put("refund", path, Map.of("valor", amount)).block(ReconciledBooks.TIMEOUT);
        awaitStatus(path, "DEVOLVIDO");
    }

    /** @return the bank's end-to-end id */
    private String send(UUID id, String amount) {
        JsonNode sent = bank.account(books.clock)
                .put(
                        "cashout",
                        "/v3/gn/pix/" + RunningBank.hex(id),
                        Map.of(
                                "valor", amount,
                                "pagador", Map.of("chave", bank.bank.pixKey()),
                                "favorecido", Map.of("chave", "maria@example.com")))
                .blockOptional(ReconciledBooks.TIMEOUT)
                .orElseThrow()
                .body();
        awaitStatus("/v2/gn/pix/enviados/id-envio/" + RunningBank.hex(id), "REALIZADO");
        return sent.path("e2eId").asString();
    }

    private void awaitStatus(String path, String status) {
        await().atMost(ReconciledBooks.TIMEOUT).until(() -> bank.account(books.clock)
                .get("read", path)
                .blockOptional(ReconciledBooks.TIMEOUT)
                .orElseThrow()
                .body()
                .path("status")
                .asString("")
                .equals(status));
    }

    /** The books know a refund that the bank made by itself by a hash of its id. */
    private static String hash(String id) {
        return RunningBank.hex(UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)));
    }
}
