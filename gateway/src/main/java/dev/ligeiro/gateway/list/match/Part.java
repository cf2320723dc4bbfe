package dev.ligeiro.gateway.list.match;

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
