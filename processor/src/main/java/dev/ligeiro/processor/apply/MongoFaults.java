package dev.ligeiro.processor.apply;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import dev.ligeiro.support.TransientFault;
import java.util.Set;

/** Which faults of MongoDB a batch is retried after. */
final class MongoFaults {

    /** Error codes caused by one document: BadValue, TypeMismatch, DocumentValidationFailure, BSONObjectTooLarge. */
    private static final Set<Integer> OF_ONE_DOCUMENT = Set.of(2, 14, 121, 10334, 17419);

    private MongoFaults() {}

    /** Only errors caused by one document are final. All other server errors may be temporary, so the command is tried again. */
    static RuntimeException classified(MongoException fault) {
        boolean oneDocument = fault instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> OF_ONE_DOCUMENT.contains(error.getCode()));
        return oneDocument
                ? fault
                : new TransientFault("mongodb: " + fault.getClass().getSimpleName(), fault);
    }
}
