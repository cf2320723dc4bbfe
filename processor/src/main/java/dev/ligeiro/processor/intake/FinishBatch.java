package dev.ligeiro.processor.intake;

import dev.ligeiro.processor.apply.EventPublisher;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.StrayStore;
import dev.ligeiro.processor.decide.Batch;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Reports what a batch has done, when its changes are stored: records strays, then sends the events. */
@Component
class FinishBatch {

    private final StrayStore strays;
    private final EventPublisher events;

    FinishBatch(StrayStore strays, EventPublisher events) {
        this.strays = strays;
        this.events = events;
    }

    /** Completes when every stray is stored and every event acknowledged. It may be repeated. */
    Mono<Void> finish(Batch batch, Origins origins) {
        return strays.record(batch.strays()).then(events.publish(batch.events(), origins));
    }
}
