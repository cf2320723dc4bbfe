package dev.ligeiro.processor.books;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one event moves between the accounts of its tenant, in cents.
 *
 * @param id the event's id, so that an event that arrives twice is posted once; it has an ending if the event has two postings
 * @param at the time of the event
 * @param rail the rail's name
 * @param railId the rail's id of the movement, by which its list is compared with the books; null if no list has it
 * @param legs what is added to the accounts; no amount is 0
 * @param commission the part of the merchant's leg that is a commission: negative when it is charged
 */
record Posting(
        String id,
        Tenant tenant,
        TransactionId transactionId,
        Instant at,
        Type type,
        String rail,
        @Nullable String railId,
        Map<Account, Long> legs,
        long commission) {

    /** The kind of a movement; those that move the merchant's account are the types of a statement's entries. */
    enum Type implements Coded {
        CASHIN,
        /** A cashout goes to the rail, and then is paid. */
        CASHOUT,
        /** A denied cashout's money, or that of a paid one which the receiver's bank has sent back. */
        CASHOUT_RETURNED,
        /** A refund is asked for, and then made. */
        REFUND,
        REFUND_FAILED,
        UNMATCHED,
        /** Operators have booked money that no transaction could take to the merchant. */
        ADJUSTMENT,
        /** More is blocked for disputes: one begins, or a refund has failed. */
        DISPUTE_BLOCKED,
        /** Less is blocked: a dispute has ended, or a refund moves some of its amount back. */
        DISPUTE_RELEASED
    }

    Posting {
        legs = Collections.unmodifiableMap(legs);
        long toRail = legs.getOrDefault(Account.RAIL, 0L);
        long toOthers = legs.values().stream().mapToLong(cents -> cents).sum() - toRail;
        if (toRail != toOthers) {
            throw new IllegalArgumentException("legs: " + legs + " (expected: as much to the rail as to the others)");
        }
    }

    /** What is added to {@code account}. */
    long leg(Account account) {
        return legs.getOrDefault(account, 0L);
    }

    /** Legs that are collected one after the other. */
    static final class Legs {

        private final Map<Account, Long> byAccount = new EnumMap<>(Account.class);

        Legs add(Account account, long cents) {
            long sum = byAccount.getOrDefault(account, 0L) + cents;
            if (sum == 0) {
                byAccount.remove(account);
            } else {
                byAccount.put(account, sum);
            }
            return this;
        }

        Map<Account, Long> all() {
            return byAccount;
        }
    }
}
