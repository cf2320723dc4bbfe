package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.UuidV7;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The fields of a stored transaction by which lists filter. */
record ListRow(
        UUID id, Status status, UUID platform, String name, String phone, String document, @Nullable String pixKey) {

    long createdMilli() {
        return UuidV7.epochMilli(id);
    }

    /** Hides the fields: most are personal data. */
    @Override
    public String toString() {
        return "ListRow[" + id + "]";
    }
}
