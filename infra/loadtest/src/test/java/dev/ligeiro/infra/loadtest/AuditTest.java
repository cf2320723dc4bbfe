package dev.ligeiro.infra.loadtest;

import static dev.ligeiro.transaction.Status.PAID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditTest {

    private final CallIdentifiers identifiers = new CallIdentifiers("00c0ffee");
    private final CallJournal journal = new CallJournal(identifiers);
    private final Audit audit = new Audit(journal, true, new RunFaults());

    @Test
    void passesWhenEverythingIsThere() {
        Transaction pending = answered(Call.PENDING_CASHIN).accept();
        Transaction paid = paid(answered(Call.PAID_CASHIN));
        announce(paid, 1, 2);

        Audit.Result result = result(pending, paid);

        assertThat(result.passed()).isTrue();
        assertThat(result.created()).isEqualTo(2);
        assertThat(result.stored()).isEqualTo(2);
        assertThat(result.webhooks()).isEqualTo(1);
    }

    @Test
    void failsWhenAnAnsweredTransactionIsNotStored() {
        answered(Call.PENDING_CASHIN);

        assertFault(result(), "in a response but not stored");
    }

    @Test
    void failsWhenOneIsStoredTwice() {
        Transaction stored = answered(Call.PENDING_CASHIN).accept();

        assertFault(result(stored, stored), "stored twice");
    }

    @Test
    void failsWhenOneIsStoredThatWasNotAnswered() {
        journal.add(Call.PENDING_CASHIN, 0);

        assertFault(result(stored(0, Transactions.ID, identifiers.extra(0)).accept()), "stored without a response");
    }

    @Test
    void failsWhenItIsStoredUnderAnotherId() {
        answered(Call.PENDING_CASHIN);
        TransactionId other = TransactionId.at(Transactions.CREATED_AT);

        assertFault(result(stored(0, other, identifiers.extra(0)).accept()), "another id than in the response");
    }

    @Test
    void failsWhenTheExtraIsWrong() {
        answered(Call.PENDING_CASHIN);

        assertFault(result(stored(0, Transactions.ID, identifiers.extra(1)).accept()), "wrong extra");
    }

    @Test
    void failsWhenTheProcessorHasNotTakenItOver() {
        assertFault(result(answered(Call.PENDING_CASHIN)), "never accepted");
    }

    @Test
    void failsWhenTheHistoryIsAnother() {
        assertFault(result(paid(answered(Call.PENDING_CASHIN))), "wrong history");
    }

    @Test
    void failsWhenTheHistoryHasAnotherAnnouncedEntry() {
        Transaction paid = paid(answered(Call.PAID_CASHIN));
        announce(paid, 0, 2);
        Transaction refunded = refundedPartially(paid);

        assertFault(result(refunded), "wrong history");
    }

    @Test
    void failsWhenAWebhookIsMissing() {
        assertFault(result(paid(answered(Call.PAID_CASHIN))), "webhooks missing");
    }

    @Test
    void failsWhenAWebhookWasAboutAnotherTransaction() {
        Transaction paid = paid(answered(Call.PAID_CASHIN));
        journal.addWebhook(0, 2, new UUID(1, 1));

        assertFault(result(paid), "webhook with another transaction id");
    }

    @Test
    void failsWhenACallWasNotAnswered() {
        journal.add(Call.SHOW, 0);

        assertThat(result().passed()).isFalse();
    }

    private Transaction answered(Call call) {
        int number = journal.add(call, 0);
        TransactionId id = number == 0 ? Transactions.ID : TransactionId.at(Transactions.CREATED_AT);
        journal.addResponse(number, id.value());
        return stored(number, id, identifiers.extra(number));
    }

    private void announce(Transaction transaction, int number, int sequence) {
        journal.addWebhook(number, sequence, transaction.id().value());
    }

    private Audit.Result result(Transaction... stored) {
        List.of(stored).forEach(audit::take);
        return audit.finish();
    }

    private static void assertFault(Audit.Result result, String words) {
        assertThat(result.passed()).isFalse();
        assertThat(result.faults()).singleElement().asString().contains(words);
    }

    private static Transaction paid(Transaction transaction) {
        return transaction.moveTo(PAID, Transactions.CREATED_AT.plusSeconds(1), Source.RAIL);
    }

    private Transaction stored(int number, TransactionId id, @Nullable String extra) {
        Transaction like = Transactions.cashin(id, new Amount(15_011));
        return Transactions.like(like)
                .reference(identifiers.reference(number))
                .extra(extra)
                .build();
    }

    /** {@code transaction} with a refund of one cent, which is an announced entry and keeps the status. */
    private static Transaction refundedPartially(Transaction transaction) {
        RefundId refund = RefundId.at(Transactions.CREATED_AT);
        Instant at = Transactions.CREATED_AT.plusSeconds(2);
        return transaction.with(
                new Entry.RefundRequested(refund, new Amount(1), Source.MERCHANT, null, null, at, null),
                new Entry.RefundMade(refund, false, at));
    }
}
