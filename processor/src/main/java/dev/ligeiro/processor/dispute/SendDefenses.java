package dev.ligeiro.processor.dispute;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.SendDefense;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends the defences that merchants have asked for. The claim is read before each call, so a defence whose answer was lost is found there and
 * not sent twice. What the bank says is stored; the transaction learns of it as of any other news of the claim.
 */
@Component
class SendDefenses {

    private static final int AT_A_TIME = 50;

    private final DisputeStore store;
    private final ReadClaims claims;
    private final SendDefense bankCall;
    private final Clock clock;

    SendDefenses(DisputeStore store, ReadClaims claims, SendDefense bankCall, Clock clock) {
        this.store = store;
        this.claims = claims;
        this.bankCall = bankCall;
        this.clock = clock;
    }

    /** Fails with the first failure when all have been tried; the failed ones are tried again. */
    Mono<Void> to(BankAccount bank) {
        return store.withDefenses(bank.rail(), AT_A_TIME)
                .concatMapIterable(SendDefenses::open)
                .concatMapDelayError(defense -> send(bank, defense))
                .then();
    }

    private static Iterable<Entry.DefenseRequested> open(Transaction transaction) {
        return transaction.history().openDefenses();
    }

    private Mono<Void> send(BankAccount bank, Entry.DefenseRequested defense) {
        return store.find(List.of(defense.dispute()))
                .mapNotNull(found -> found.get(defense.dispute()))
                // otherwise the answer is on its way to the transaction
                .filter(known -> mayDefend(known) && !isRefused(known, defense))
                .flatMap(known -> claims.again(bank, known))
                .flatMap(read -> mayDefend(read) ? call(bank, read, defense) : told(read));
    }

    private Mono<Void> call(BankAccount bank, StoredDispute dispute, Entry.DefenseRequested defense) {
        return bankCall.send(bank, dispute.railId(), defense.text()).flatMap(answer -> switch (answer) {
            case TAKEN -> told(dispute.defended(StoredDispute.nameOf(defense.text())));
            // the claim will show it
            case EXISTS ->
                Mono.error(new RailFault("defense: the bank says that it has one (expected: its list shows it)"));
            case TOO_LATE -> refused(bank, dispute, defense, ChangeRefusal.DEFENSE_TOO_LATE);
            case REJECTED -> refused(bank, dispute, defense, ChangeRefusal.DEFENSE_REJECTED);
        });
    }

    /** The bank may have closed the claim meanwhile: the refusal then says that. */
    private Mono<Void> refused(
            BankAccount bank, StoredDispute dispute, Entry.DefenseRequested defense, ChangeRefusal code) {
        return claims.again(bank, dispute)
                .flatMap(read -> told(
                        mayDefend(read)
                                ? read.withRefusal(new StoredDispute.Refusal(
                                        defense.change().id(), code))
                                : read));
    }

    private Mono<Void> told(StoredDispute dispute) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return store.save(dispute.withReportAt(now));
    }

    private static boolean mayDefend(StoredDispute dispute) {
        return dispute.status() == Dispute.Status.OPEN && dispute.defense() == null;
    }

    private static boolean isRefused(StoredDispute known, Entry.DefenseRequested defense) {
        StoredDispute.Refusal refusal = known.refusal();
        return refusal != null && refusal.change().equals(defense.change().id());
    }
}
