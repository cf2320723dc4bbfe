package dev.ligeiro.processor.rail;

import dev.ligeiro.message.RailCallKind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting calls of one paying account: inquiries first, otherwise in the order of their arrival. Inquiries are few, they free the
 * money of unknown outcomes, and they may wait for less time than submissions. Each kind has a bound of its own. Not thread-safe.
 */
final class WaitingCalls {

    private static final int OF_A_KIND_MAX = 1_000;

    private final Deque<WaitingCall> inquiries = new ArrayDeque<>();
    private final Deque<WaitingCall> submissions = new ArrayDeque<>();

    /** Whether no waiting call comes before a new one of this kind. */
    boolean isFirst(RailCallKind kind) {
        return inquiries.isEmpty() && (kind == RailCallKind.INQUIRE || submissions.isEmpty());
    }

    boolean isFull(RailCallKind kind) {
        return ofKind(kind).size() >= OF_A_KIND_MAX;
    }

    /** Returns false when the kind is full; the call then does not wait. */
    boolean add(WaitingCall call) {
        return !isFull(call.kind()) && ofKind(call.kind()).add(call);
    }

    @Nullable
    WaitingCall first() {
        WaitingCall inquiry = inquiries.peek();
        return inquiry == null ? submissions.peek() : inquiry;
    }

    void removeFirst() {
        (inquiries.isEmpty() ? submissions : inquiries).remove();
    }

    List<WaitingCall> removeLate(RailCallKind kind, Instant now) {
        List<WaitingCall> late = new ArrayList<>();
        ofKind(kind).removeIf(call -> call.isLate(now) && late.add(call));
        return late;
    }

    private Deque<WaitingCall> ofKind(RailCallKind kind) {
        return kind == RailCallKind.INQUIRE ? inquiries : submissions;
    }
}
