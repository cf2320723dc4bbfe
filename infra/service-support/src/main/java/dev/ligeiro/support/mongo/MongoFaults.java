package dev.ligeiro.support.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import dev.ligeiro.support.TransientFault;
import java.util.Set;

/** Which faults of MongoDB a batch is retried after. */
public final class MongoFaults {

    /** Error codes caused by one document: BadValue, TypeMismatch, DocumentValidationFailure, BSONObjectTooLarge. */
    private static final Set<Integer> OF_ONE_DOCUMENT = Set.of(2, 14, 121, 10334, 17419);

    private static final String CLOSED = "state should be: open";

    private MongoFaults() {}

    /**
     * Only errors caused by one document are final. All other server errors may be temporary, so the record is tried again. So is one
     * that meets a closed client, because its batch has outlasted the stop.
     */
    public static Throwable classified(Throwable fault) {
        if (fault instanceof MongoException && !isOfOneDocument(fault)) {
            return new TransientFault("mongodb: " + fault.getClass().getSimpleName(), fault);
        }
        return isOfClosedClient(fault) ? new TransientFault("mongodb: the client is closed", fault) : fault;
    }

    private static boolean isOfOneDocument(Throwable fault) {
        return fault instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> OF_ONE_DOCUMENT.contains(error.getCode()));
    }

    private static boolean isOfClosedClient(Throwable fault) {
        return fault instanceof IllegalStateException && CLOSED.equals(fault.getMessage());
    }
}
