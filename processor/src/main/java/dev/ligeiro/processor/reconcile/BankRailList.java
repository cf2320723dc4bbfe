package dev.ligeiro.processor.reconcile;

import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.processor.rail.bank.BankProperties.Kind;
import dev.ligeiro.processor.rail.live.BankLists;
import dev.ligeiro.processor.rail.live.BankLists.Span;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** The lists of a bank account: {@code GET /pix}, and at Efí that of sent payments too. */
final class BankRailList implements RailList {

    private static final String SENT = "/v2/gn/pix/enviados";
    private static final int UUID_LENGTH = 36;
    /** The bank knows the id, or does not: a repeated question would be answered the same. */
    private static final Set<Integer> NOT_FOUND = Set.of(400, 404, 422);

    private final String rail;
    private final BankAccount bank;
    private final BankLists lists;
    private final Duration pause;

    /** @param pause after each call, because a list is not urgent */
    BankRailList(String rail, BankAccount bank, BankLists lists, Duration pause) {
        this.rail = rail;
        this.bank = bank;
        this.lists = lists;
        this.pause = pause;
    }

    @Override
    public String rail() {
        return rail;
    }

    /** Both ends of a span belong to it, and a movement must not be in two hours. */
    @Override
    public Flux<List<Movement>> hour(Instant from) {
        Span span = new Span(rail, bank, from, from.plus(1, ChronoUnit.HOURS).minusMillis(1));
        Flux<List<Movement>> received =
                lists.pages("list", received(), span).map(page -> BankMovements.received(rail, key(), pix(page)));
        Flux<List<Movement>> sent = bank.properties().kind() == Kind.EFI
                ? lists.pages("list_sent", SENT, span).map(page -> BankMovements.sent(rail, pix(page)))
                : Flux.empty();
        return Flux.concat(received, sent).concatMap(page -> Mono.just(page).delayElement(pause), 0);
    }

    /** One call for each payment, which tells its refunds too. */
    @Override
    public Flux<Movement> find(List<Booked> postings) {
        return Flux.fromStream(postings.stream().map(BankRailList::payment).distinct())
                .concatMap(payment -> find(payment).delaySubscription(pause), 0);
    }

    /** @param isSent whether the account has paid it */
    private record Payment(String id, boolean isSent) {}

    private static Payment payment(Booked posting) {
        int end = posting.railId().indexOf('/');
        return end < 0
                ? new Payment(posting.railId(), posting.cents() < 0)
                : new Payment(posting.railId().substring(0, end), posting.cents() > 0);
    }

    private Flux<Movement> find(Payment payment) {
        String path = path(payment);
        if (path == null) {
            return Flux.empty();
        }
        return lists.call(rail, bank.get("movement", path))
                .flatMapIterable(answer -> movements(answer, payment.isSent()))
                .onErrorResume(BankAnswer::isTooLarge, tooLarge -> Flux.empty());
    }

    private List<Movement> movements(BankAnswer answer, boolean isSent) {
        if (NOT_FOUND.contains(answer.status())) {
            return List.of();
        }
        List<JsonNode> found = List.of(answer.json());
        return isSent ? BankMovements.sent(rail, found) : BankMovements.received(rail, key(), found);
    }

    /** Null for a payment that cannot be asked for: a bank knows only sent ones by our own id. */
    private @Nullable String path(Payment payment) {
        boolean isOurId = payment.id().length() == UUID_LENGTH;
        if (!payment.isSent()) {
            return isOurId ? null : received() + "/" + payment.id();
        }
        if (bank.properties().kind() != Kind.EFI) {
            return null;
        }
        return isOurId ? SENT + "/id-envio/" + payment.id().replace("-", "") : SENT + "/" + payment.id();
    }

    private String received() {
        return bank.properties().kind().pixPath() + "/pix";
    }

    private String key() {
        return bank.properties().receiverKey();
    }

    private static List<JsonNode> pix(JsonNode page) {
        return BankFields.list(page, "pix");
    }
}
