package dev.ligeiro.gateway.store.merchant;

import dev.ligeiro.transaction.Operation;
import java.time.Instant;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * The live transactions of one rail and operation that an operator has stopped.
 *
 * @param operator who has stopped them
 */
@Document("stops")
public record RouteStop(@Id String id, String rail, Operation operation, String reason, String operator, Instant at) {

    /** How ids begin. The collection may have stops of other kinds. */
    static final String KIND = "route/";

    public RouteStop(String rail, Operation operation, String reason, String operator, Instant at) {
        this(id(rail, operation), rail, operation, reason, operator, at);
    }

    static String id(String rail, Operation operation) {
        return KIND + rail + "/" + operation.code();
    }
}
