package dev.ligeiro.processor.dispute;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.DisputeDecisions;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankClaim;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.BankLists.Span;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores what a bank's list says about claims. A claim has the end-to-end id of a payment only. It is about the transaction to which operators
 * have assigned that payment, or whose id the bank has with it. One that no transaction can take is stored for the operators, and looked up
 * again at each reading.
 */
@Component
class ReadClaims {

    private static final Logger LOG = LoggerFactory.getLogger(ReadClaims.class);

    private final BankLists lists;
    private final DisputeStore store;
    private final TransactionBatchStore transactions;
    private final UnmatchedPaymentStore unmatched;
    private final RailCommandPublisher publisher;
    private final Clock clock;

    ReadClaims(
            BankLists lists,
            DisputeStore store,
            TransactionBatchStore transactions,
            UnmatchedPaymentStore unmatched,
            RailCommandPublisher publisher,
            Clock clock) {
        this.lists = lists;
        this.store = store;
        this.transactions = transactions;
        this.unmatched = unmatched;
        this.publisher = publisher;
        this.clock = clock;
    }

    /** Reads the claims that were opened in the span. */
    Mono<Void> of(Span span) {
        return lists.claims("claims", span)
                .concatMap(page -> stored(span.bank(), page), 0)
                .then();
    }

    /** Reads one claim again. */
    Mono<StoredDispute> again(BankAccount bank, StoredDispute dispute) {
        Instant opened = dispute.openedAt();
        return of(new Span(bank, opened.minusSeconds(1).truncatedTo(ChronoUnit.SECONDS), opened.plusSeconds(1)))
                .then(store.find(List.of(dispute.id())))
                .mapNotNull(found -> found.get(dispute.id()));
    }

    private Mono<Void> stored(BankAccount bank, List<BankClaim> page) {
        List<BankClaim> readable = page.stream()
                .filter(claim ->
                        readable(bank.rail(), () -> claim.id(bank.rail())).isPresent())
                .toList();
        return store.find(readable.stream().map(claim -> claim.id(bank.rail())).toList())
                .flatMapMany(known -> Flux.fromIterable(readable)
                        .concatMap(claim -> stored(bank, claim, known.get(claim.id(bank.rail())))))
                .then();
    }

    private Mono<Void> stored(BankAccount bank, BankClaim claim, @Nullable StoredDispute known) {
        return readable(bank.rail(), () -> claim.stored(bank.rail(), known))
                .map(told -> located(bank, told)
                        .filter(next -> !next.equals(known))
                        .flatMap(next -> {
                            report(next, known, claim.isStatusExpected(known));
                            return store.save(next.tenant() == null ? next : next.withReportAt(now()));
                        }))
                .orElseGet(Mono::empty);
    }

    /** The claim with its transaction, once that is known. */
    private Mono<StoredDispute> located(BankAccount bank, StoredDispute told) {
        if (told.tenant() != null || !mayTakeMoney(told)) {
            return Mono.just(told);
        }
        return unmatched
                .assignedTo(told.rail(), told.endToEndId())
                .switchIfEmpty(Mono.justOrEmpty(told.transactionId()))
                .switchIfEmpty(named(bank, told))
                .flatMap(found -> located(told, found))
                .defaultIfEmpty(told);
    }

    /** The transaction whose id the bank has with the payment. */
    private Mono<TransactionId> named(BankAccount bank, StoredDispute told) {
        return lists.payment("claim_payment", bank, told.endToEndId(), false)
                .mapNotNull(payment -> payment.ours().map(TransactionId::new).orElse(null))
                // the claims after it must be read all the same
                .onErrorResume(fault -> {
                    unread(bank.rail(), fault);
                    return Mono.empty();
                });
    }

    /** That of a lost one has to be blocked too: it may be read only after the bank has decided. */
    private static boolean mayTakeMoney(StoredDispute told) {
        return told.status() != Dispute.Status.WON && told.status() != Dispute.Status.CANCELED;
    }

    private Mono<StoredDispute> located(StoredDispute told, TransactionId id) {
        RailNotice hint = new RailNotice(id, told.rail(), told.endToEndId(), null);
        return transactions.load(List.of(hint), ProcessorMemoryBudget.LISTED).flatMap(loaded -> {
            Transaction found = loaded.find(id).orElse(null);
            if (found == null) {
                return Mono.just(told);
            }
            if (DisputeDecisions.takes(found, told)) {
                return Mono.just(told.of(found.tenant(), id));
            }
            // its payment may not be known yet
            Mono<Void> asked = found.history().lastAt(Status.PAID).isEmpty() ? publisher.publish(hint) : Mono.empty();
            return asked.thenReturn(told.of(null, id));
        });
    }

    private static void report(StoredDispute told, @Nullable StoredDispute known, boolean isStatusExpected) {
        boolean isNew = known == null || told.isFinal() && !known.isFinal();
        if (told.tenant() == null && isNew && mayTakeMoney(told)) {
            LOG.atWarn()
                    .addKeyValue("event.action", "dispute_unmatched")
                    .addKeyValue("rail", told.rail())
                    .addKeyValue("dispute_id", told.id())
                    .addKeyValue("end_to_end_id", told.endToEndId())
                    .log("A bank tells of a claim that no transaction can take; operators see it, nothing is blocked");
        }
        if (!isStatusExpected && (known == null || !told.railStatus().equals(known.railStatus()))) {
            LOG.atWarn()
                    .addKeyValue("event.action", "dispute_status_unexpected")
                    .addKeyValue("rail", told.rail())
                    .addKeyValue("dispute_id", told.id())
                    .addKeyValue("status", told.railStatus())
                    .log("A bank gives a claim a status that is not known, or another one after its end; the dispute"
                            + " stays as it is, operators see the status");
        }
    }

    /** A claim that cannot be read is logged and left out: it must not keep the others from being read, and is read again. */
    private static <T> Optional<T> readable(String rail, Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (RailFault fault) {
            unread(rail, fault);
            return Optional.empty();
        }
    }

    private static void unread(String rail, Throwable fault) {
        LOG.atWarn()
                .addKeyValue("event.action", "claim_unreadable")
                .addKeyValue("rail", rail)
                .addKeyValue("cause", RailFault.describe(fault))
                .log("A claim in a bank's list, or its payment, cannot be read; it is tried again at the next reading");
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
