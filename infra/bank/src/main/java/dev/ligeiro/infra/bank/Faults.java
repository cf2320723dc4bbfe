package dev.ligeiro.infra.bank;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides what goes wrong. The n-th call of an operation meets the same fault whenever the seed, the rate and the kinds are the
 * same; the numbers start again when faults are set or the bank starts. The control port never meets one.
 */
final class Faults {

    /** Where a fault can happen. */
    enum Place {
        TOKEN,
        CALL,
        NOTICE,
        PAYMENT
    }

    /** In a plan without kinds, all that lose, delay, repeat or refuse. The others happen only when they are named. */
    enum Kind {
        /** The connection ends without an answer, and nothing was done. */
        LOST_BEFORE(true, Place.TOKEN, Place.CALL),
        /** It was done, but the connection ends without an answer. */
        LOST_AFTER(true, Place.CALL),
        /** It is done late, and then answered. */
        SLOW(true, Place.TOKEN, Place.CALL),
        /** It is done at once, but answered late. */
        LATE_ANSWER(true, Place.CALL),
        /** 500 or 503, and nothing was done. */
        ERROR_BEFORE(true, Place.TOKEN, Place.CALL),
        /** 500 or 504, although it was done. */
        ERROR_AFTER(true, Place.CALL),
        /** 429. */
        BUSY(true, Place.TOKEN, Place.CALL),
        /** 401: the token ends before its time. */
        EXPIRED_TOKEN(true, Place.CALL),
        /** It is done a second time, and the second answer is given. */
        REPEATED(true, Place.CALL),
        /** The connection ends after the answer, and the next one fails in its handshake. */
        TLS_BROKEN(true, Place.CALL),
        NOTICE_LOST(true, Place.NOTICE),
        NOTICE_DOUBLED(true, Place.NOTICE),
        NOTICE_LATE(true, Place.NOTICE),
        /** Later notices overtake it. */
        NOTICE_DISORDERED(true, Place.NOTICE),
        NOTICE_WITHOUT_TXID(true, Place.NOTICE),
        /** The answer ends in the middle. */
        BROKEN_JSON(false, Place.CALL),
        /** The answer has 10 MB. */
        HUGE_ANSWER(false, Place.CALL),
        /** {@code status} has a value that nobody knows. */
        UNKNOWN_STATUS(false, Place.CALL),
        /** Amounts are numbers instead of texts. */
        NUMBER_AMOUNT(false, Place.CALL),
        /** Times have no zone. */
        TIME_WITHOUT_ZONE(false, Place.CALL),
        /** It is the answer about another charge, refund or cashout. */
        OTHER_ID(false, Place.CALL),
        /** A list says that it has far more pages. */
        MANY_PAGES(false, Place.CALL),
        /** A second notice follows, of a Pix that another customer has received. */
        NOTICE_FOREIGN(false, Place.NOTICE),
        /** The payer pays another amount. */
        OTHER_AMOUNT(false, Place.PAYMENT),
        /** The payer pays a second time. */
        SECOND_PAYMENT(false, Place.PAYMENT),
        /** The bank refunds the payment later, with nature {@code MED_FRAUDE}. */
        UNASKED_REFUND(false, Place.PAYMENT);

        private final boolean unnamed;
        private final List<Place> places;

        Kind(boolean unnamed, Place... places) {
            this.unnamed = unnamed;
            this.places = List.of(places);
        }

        static List<Kind> unnamed() {
            return List.of(values()).stream().filter(kind -> kind.unnamed).toList();
        }
    }

    /** @param share from 0 to 1, for the length of a delay or the choice of a status */
    record Decision(Kind kind, double share) {}

    private final Book book;
    private final Map<String, Integer> counts = new HashMap<>();

    Faults(Book book) {
        this.book = book;
    }

    void plan(Stored.FaultPlan plan) {
        book.write(change -> change.put(plan));
        synchronized (counts) {
            counts.clear();
        }
    }

    /** @param id what the fault is recorded with */
    @Nullable
    Decision next(Place place, String operation, String id) {
        Stored.FaultPlan plan = book.faultPlan();
        if (plan == null || plan.rate() <= 0 || !plan.isOf(operation)) {
            return null;
        }
        List<Kind> kinds = new ArrayList<>(plan.kinds());
        kinds.removeIf(kind -> !kind.places.contains(place));
        int count;
        synchronized (counts) {
            count = counts.merge(operation, 1, Integer::sum);
        }
        SplittableRandom random = new SplittableRandom(plan.seed() * 31 + (operation + " " + count).hashCode());
        if (kinds.isEmpty() || random.nextDouble() >= plan.rate()) {
            return null;
        }
        Decision decision = new Decision(kinds.get(random.nextInt(kinds.size())), random.nextDouble());
        book.write(change -> change.put(new Stored.Injected(decision.kind(), operation, id, Book.now())));
        return decision;
    }
}
