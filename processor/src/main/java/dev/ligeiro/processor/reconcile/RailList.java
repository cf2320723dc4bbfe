package dev.ligeiro.processor.reconcile;

import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;

/** A rail's own list of what has moved money. It fails while the rail is away. */
interface RailList {

    /** The name of the rail. */
    String rail();

    /** The movements that the list has in this hour, page by page. */
    Flux<List<Movement>> hour(Instant from);

    /** What the rail has under the ids of some postings. */
    Flux<Movement> find(List<Booked> postings);
}
