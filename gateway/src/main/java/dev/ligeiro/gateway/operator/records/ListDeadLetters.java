package dev.ligeiro.gateway.operator.records;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Lists the dead letters of a topic, the oldest first, with those that were redriven. */
@Component
class ListDeadLetters {

    private final DeadLetterReader reader;
    private final RedrivenStore store;

    ListDeadLetters(DeadLetterReader reader, RedrivenStore store) {
        this.reader = reader;
        this.store = store;
    }

    Mono<Listed> list(DeadLetterQuery query) {
        return reader.page(query.topic(), query.after(), query.limit())
                .flatMap(page -> store.redriven(query.topic(), page.deadLetters())
                        .map(redriven -> new Listed(page.deadLetters(), redriven, page.next())));
    }

    /** @param next null on the last page */
    record Listed(List<DeadLetter> deadLetters, Set<DeadLetterId> redriven, @Nullable DeadLetterId next) {}
}
