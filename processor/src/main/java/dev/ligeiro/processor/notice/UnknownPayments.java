package dev.ligeiro.processor.notice;

import dev.ligeiro.message.TransactionCommand.RailNotice;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.TransactionBatchStore;
import dev.ligeiro.processor.apply.TransactionBatchStore.Loaded;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.NoticeDecisions;
import dev.ligeiro.support.TransientFault;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Leaves out the reports that repeat what is stored: almost all that catch-up reads. Each would cost the processors a read and the merchant
 * a repeated event.
 */
@Component
class UnknownPayments {

    private final TransactionBatchStore transactions;
    private final UnmatchedPaymentStore unmatched;

    UnknownPayments(TransactionBatchStore transactions, UnmatchedPaymentStore unmatched) {
        this.transactions = transactions;
        this.unmatched = unmatched;
    }

    /**
     * The reports that may tell something new. What was moved back of recorded unmatched payments is noted, and their rail asked. Asks for
     * all transactions in one query, and in a second one for recorded unmatched payments. Fails while MongoDB is away: a whole list would be
     * published. A report whose transaction is damaged stays: the processors decide.
     */
    Mono<List<RailNotice>> among(List<RailNotice> reports) {
        return unmatched
                .returnReported(reports)
                .then(unknown(reports))
                .onErrorResume(
                        fault -> !(fault instanceof TransientFault),
                        damaged -> reports.size() == 1
                                ? Mono.just(reports)
                                : Flux.fromIterable(reports)
                                        .concatMap(report -> among(List.of(report)))
                                        .concatMapIterable(some -> some)
                                        .collectList());
    }

    /** What a notice says of recorded unmatched payments, a mere hint. If MongoDB is away, catch-up finds it. */
    Mono<Void> hinted(List<RailNotice> reports) {
        return unmatched.returnReported(reports).onErrorComplete();
    }

    private Mono<List<RailNotice>> unknown(List<RailNotice> reports) {
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
