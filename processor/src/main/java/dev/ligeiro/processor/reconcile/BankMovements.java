package dev.ligeiro.processor.reconcile;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.processor.rail.bank.BankLists;
import dev.ligeiro.processor.rail.bank.BankPayment;
import dev.ligeiro.processor.reconcile.Compared.Booked;
import dev.ligeiro.processor.reconcile.Compared.Movement;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The movements of a bank's lists: payments, and what was moved back of them. */
@Component
class BankMovements {

    private static final Logger LOG = LoggerFactory.getLogger(BankMovements.class);

    /** After each call, because a list is not urgent. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final BankLists lists;

    BankMovements(BankLists lists) {
        this.lists = lists;
    }

    /** Page by page those of an hour. Both ends of a span belong to it, and a movement must not be in two hours. */
    Flux<List<Movement>> hour(BankAccount bank, Instant from) {
        BankLists.Span span =
                new BankLists.Span(bank, from, from.plus(1, ChronoUnit.HOURS).minusMillis(1));
        // sent payments, which Efí may also have among the received ones, have a list of their own
        Flux<List<Movement>> received = lists.received("list", span, BankLists.ALL)
                .map(page -> movements(bank, page.stream().filter(payment -> !payment.isSent())));
        Flux<List<Movement>> sent =
                lists.sent("list_sent", span, BankLists.ALL).map(page -> movements(bank, page.stream()));
        return Flux.concat(received, sent).concatMap(page -> Mono.just(page).delayElement(PAUSE), 0);
    }

    /** What the bank has under the ids of some postings, by one call for each payment. */
    Flux<Movement> find(BankAccount bank, List<Booked> postings) {
        return Flux.fromStream(postings.stream().map(BankMovements::payment).distinct())
                .concatMap(
                        asked -> lists.payment("movement", bank, asked.id(), asked.isSent())
                                .delaySubscription(PAUSE),
                        0)
                .concatMapIterable(found -> movements(bank, Stream.of(found)));
    }

    private record Asked(String id, boolean isSent) {}

    /** The payment of a posting; the id of what was moved back begins with that of its payment. */
    private static Asked payment(Booked posting) {
        int end = posting.railId().indexOf('/');
        return end < 0
                ? new Asked(posting.railId(), posting.cents() < 0)
                : new Asked(posting.railId().substring(0, end), posting.cents() > 0);
    }

    /** What cannot be read is left out: repeating it would not help, and its posting becomes a break. */
    private static List<Movement> movements(BankAccount bank, Stream<BankPayment> payments) {
        return payments.flatMap(payment -> {
                    try {
                        return movements(payment).stream();
                    } catch (RailFault fault) {
                        LOG.atWarn()
                                .addKeyValue("event.action", "movement_unreadable")
                                .addKeyValue("rail", bank.rail())
                                .addKeyValue("cause", RailFault.describe(fault))
                                .log("A payment in a bank's list cannot be read; it is left out");
                        return Stream.empty();
                    }
                })
                .toList();
    }

    /** The payment, if it was made, and what was moved back of it, which the list has at the time of the payment. */
    private static List<Movement> movements(BankPayment payment) {
        if (payment.isSent() && !payment.isMade()) {
            return List.of();
        }
        String id = payment.endToEndId();
        List<String> ids = new ArrayList<>(List.of(id));
        if (payment.isSent()) {
            // a cashout whose outcome the bank never told has no end-to-end id in the books
            payment.ours().map(UUID::toString).ifPresent(ids::add);
        }
        TransactionId transaction = payment.ours().map(TransactionId::new).orElse(null);
        int direction = payment.isSent() ? -1 : 1;
        List<Movement> found = new ArrayList<>();
        found.add(new Movement(ids, direction * payment.amount().cents(), payment.at(), transaction));
        payment.returned()
                .forEach(back -> found.add(new Movement(
                        returnedIds(id, back.id()), -direction * back.amount().cents(), payment.at(), transaction)));
        return found;
    }

    /** As the bank says; as the books have a refund that the bank made by itself; as they have one that was made after it had failed. */
    private static List<String> returnedIds(String payment, String id) {
        List<String> ids = new ArrayList<>(List.of(
                payment + "/" + id,
                payment + "/" + BankFields.id(RefundId.ofRail(id).value())));
        BankFields.ours(id)
                .ifPresent(ours -> ids.addAll(List.of(payment + "/" + BankFields.id(ours), ours.toString())));
        return ids;
    }
}
