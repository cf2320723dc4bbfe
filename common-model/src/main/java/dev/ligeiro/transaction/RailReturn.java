package dev.ligeiro.transaction;

import org.jspecify.annotations.Nullable;

/**
 * What a rail says of money that it has moved back without a request.
 *
 * @param nature the rail's own code of why, such as {@code MED_FRAUDE}; null when it does not tell
 * @param rtrId the rail's id of the returning payment; null when it does not tell
 */
public record RailReturn(@Nullable String nature, @Nullable String rtrId) {

    /** Null when nothing is told. */
    public static @Nullable RailReturn of(@Nullable String nature, @Nullable String rtrId) {
        return nature == null && rtrId == null ? null : new RailReturn(nature, rtrId);
    }
}
