package dev.ligeiro.gateway.store;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoWriteException;

/** Tells the errors of MongoDB's writes apart. */
public final class WriteErrors {

    private WriteErrors() {}

    /** Whether a unique index has refused the write. */
    public static boolean isDuplicateKey(Throwable failure) {
        return failure instanceof MongoWriteException write
                && write.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
    }

    /** Whether unique indexes have refused some of the inserts of an unordered batch, and nothing else has failed. */
    public static boolean areOnlyDuplicateKeys(Throwable failure) {
        return failure instanceof MongoBulkWriteException bulk
                && bulk.getWriteConcernError() == null
                && bulk.getWriteErrors().stream().allMatch(error -> error.getCategory() == ErrorCategory.DUPLICATE_KEY);
    }
}
