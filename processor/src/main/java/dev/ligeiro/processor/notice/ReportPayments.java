package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.TransactionBatchStore.Loaded;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.NoticeDecisions;
import dev.ligeiro.processor.rail.RailCommandPublisher;
import dev.ligeiro.support.TransientFault;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Publishes what banks report about payments, by notices or in their lists. The same report comes often. */
@Component
class ReportPayments {

    private static final int AT_ONCE_MAX = 64;

    private final TransactionBatchStore transactions;
    private final UnmatchedPaymentStore unmatched;
    private final Function<RailNotice, Mono<Void>> publisher;

    @Autowired
    ReportPayments(
            TransactionBatchStore transactions, UnmatchedPaymentStore unmatched, RailCommandPublisher publisher) {
        this(transactions, unmatched, publisher::publish);
    }

    ReportPayments(
            TransactionBatchStore transactions,
            UnmatchedPaymentStore unmatched,
            Function<RailNotice, Mono<Void>> publisher) {
        this.transactions = transactions;
        this.unmatched = unmatched;
        this.publisher = publisher;
    }

    /**
     * Takes the reports of a notice, which are mere hints. Completes when Kafka has all of them; fails when it does not take one, and the bank
     * repeats the notice. What they say of recorded unmatched payments is noted; if MongoDB is away, catch-up finds it.
     */
    Mono<Void> hinted(List<RailNotice> reports) {
        return publish(reports).then(unmatched.returnReported(reports).onErrorComplete());
    }

    /** Completes when Kafka has the reports; fails when it does not take one, and they must be repeated. */
    Mono<Void> publish(List<RailNotice> reports) {
        return Flux.fromIterable(reports)
                .distinct()
                .flatMap(publisher, AT_ONCE_MAX)
                .then();
    }

    /**
     * The reports of a list that may tell something new. Almost all that catch-up reads repeats what is stored; each would cost the processors
     * a read and the merchant a repeated event. What was moved back of recorded unmatched payments is noted, and their rail asked. Asks for
     * all transactions in one query, and in a second one for recorded unmatched payments. Fails while MongoDB is away: a whole list would be
     * published. A report whose transaction is damaged stays: the processors decide.
     */
    Mono<List<RailNotice>> unknown(List<RailNotice> reports) {
        return unmatched
                .returnReported(reports)
                .then(notStored(reports))
                .onErrorResume(
                        fault -> !(fault instanceof TransientFault),
                        damaged -> reports.size() == 1
                                ? Mono.just(reports)
                                : Flux.fromIterable(reports)
                                        .concatMap(report -> unknown(List.of(report)))
                                        .concatMapIterable(some -> some)
                                        .collectList());
    }

    private Mono<List<RailNotice>> notStored(List<RailNotice> reports) {
        return transactions
                .load(List.copyOf(reports), ProcessorMemoryBudget.LISTED)
                .flatMap(stored -> {
                    List<RailNotice> unknown = without(reports, report -> isOfItsTransaction(report, stored));
                    List<RailNotice> unmatchable = without(unknown, report -> mayBeOfItsTransaction(report, stored));
                    return unmatched.recorded(unmatchable).map(recorded -> without(unknown, recorded::contains));
                });
    }

    private static List<RailNotice> without(List<RailNotice> reports, Predicate<RailNotice> known) {
        return reports.stream().filter(known.negate()).toList();
    }

    private static boolean isOfItsTransaction(RailNotice report, Loaded stored) {
        return stored.find(report.transactionId())
                .filter(transaction -> transaction.terms().rail().equals(report.rail()))
                .filter(transaction -> NoticeDecisions.tellsNothingNew(transaction, report))
                .isPresent();
    }

    /** Whether the transaction can still take the payment, or has it, perhaps without a refund; true if the transaction was not read. */
    private static boolean mayBeOfItsTransaction(RailNotice report, Loaded stored) {
        return stored.unread().contains(report.transactionId())
                || stored.find(report.transactionId())
                        .filter(transaction -> NoticeDecisions.canBecomePaid(transaction)
                                || transaction.endToEndId().equals(report.endToEndId()))
                        .isPresent();
    }
}
