package dev.ligeiro.gateway.store;

import com.mongodb.reactivestreams.client.ClientSession;
import java.time.Instant;
import java.util.Objects;
import org.bson.BsonTimestamp;

/** Each read in it sees at least what the earlier ones saw, whichever member answers. For one read at a time. */
public record CausalSession(ClientSession session) {

    /** The time of MongoDB's cluster in its latest answer: of the last write that a majority had, after a majority read. */
    public BsonTimestamp seen() {
        return Objects.requireNonNull(session.getOperationTime());
    }

    /** {@link #seen} in whole seconds. */
    public Instant seenAt() {
        return Instant.ofEpochSecond(seen().getTime());
    }
}
