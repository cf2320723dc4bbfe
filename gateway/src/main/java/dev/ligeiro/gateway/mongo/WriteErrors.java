package dev.ligeiro.gateway.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;

/** What the errors of MongoDB's single writes mean. */
public final class WriteErrors {

    private WriteErrors() {}

    /** Whether a unique index has refused the write. */
    public static boolean isDuplicateKey(Throwable failure) {
        return failure instanceof MongoWriteException write
                && write.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
    }
}
