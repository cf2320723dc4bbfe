package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A part of the time that has matches.
 *
 * @param smaller reads which of its own parts have matches, the newest first; null if the part is read as a whole
 */
public record Part(Span span, @Nullable Mono<List<Part>> smaller) {

    /** A part that is read as a whole. */
    public static Part undivided(Span span) {
        return new Part(span, null);
    }

    /**
     * The span from the oldest part to the newest one.
     *
     * @param parts the newest first, at least one
     */
    static Span spanOf(List<Part> parts) {
        Part oldest = parts.get(parts.size() - 1);
        return new Span(oldest.span.from(), parts.get(0).span.before());
    }

    /** The rest of these parts, with lower ids. */
    static List<Part> below(TransactionId id, List<Part> parts) {
        return parts.stream()
                .map(part -> part.below(id))
                .filter(part -> !part.span.isEmpty())
                .toList();
    }

    Part below(TransactionId id) {
        return new Part(span.below(id), smaller == null ? null : smaller.map(parts -> below(id, parts)));
    }
}
