package dev.ligeiro.store;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * The field names of a month whose transactions leave MongoDB, or have left it; and of the state of the work, one document among the leases.
 * A month begins and ends in UTC, by the time in its transactions' ids. A month without a document is in MongoDB.
 */
public final class ArchiveFields {

    /** As {@code 2025-01}. */
    public static final String ID = "_id";

    /** The code of a {@link State}. */
    public static final String STATE = "state";
    /** How often the month was archived, with this time; int32. Each time has files and counts of its own. */
    public static final String GENERATION = "generation";
    /** While it waits: the code of what it waits for. */
    public static final String REASON = "reason";
    /** While it waits: the first transaction with this reason; absent if it is not known. */
    public static final String TRANSACTION_ID = "transactionId";
    /** While it waits: when a processor looks again. */
    public static final String DUE = "due";
    /** The number of the last file that is finished: written, removed from MongoDB, or inserted again; int32. */
    public static final String PART = "part";
    /** The number of files, int32; absent before they are complete. */
    public static final String PARTS = "parts";
    /** The number of transactions in the files, int64; absent before they are complete. */
    public static final String TRANSACTIONS = "transactions";
    /** The size of the files, int64; absent before they are complete. */
    public static final String BYTES = "bytes";
    /** Since when gateways take the month as archived; absent before. */
    public static final String ARCHIVED_AT = "archivedAt";
    /**
     * {@code true} from before the first transaction is removed until all are inserted again. Meanwhile the files may be the only copy, so none
     * is written again.
     */
    public static final String REMOVING = "removing";
    /** When the last transaction was removed; absent before. */
    public static final String REMOVED_AT = "removedAt";
    /** When the last transaction was inserted again; absent before. */
    public static final String RESTORED_AT = "restoredAt";
    /** {@code true} if operators have not asked for the return: it is archived again. */
    public static final String AGAIN = "again";
    /** How many transactions came back without a reference or key that another transaction had got meanwhile, int64. */
    public static final String KEYS_TAKEN = "keysTaken";
    /** The name of a file that is missing or is not as it was written; absent if none was found. */
    public static final String ALTERED_FILE = "alteredFile";

    /** The value of {@link #ID} of the state of the work. */
    public static final String WORK = "archive";
    /** In the state of the work: the setting; absent without. */
    public static final String MONTHS = "months";
    /** In the state of the work: the folder or bucket; absent without. */
    public static final String TO = "to";
    /** In the state of the work: when a processor last began a pass. */
    public static final String AT = "at";

    public enum State implements Coded {
        /** Something keeps it in MongoDB for now. */
        WAITING,
        /** Its files are being written. */
        EXPORTING,
        /** Its files are complete and verified. Its transactions are being removed from MongoDB, or are. */
        ARCHIVED,
        /** Its transactions are being inserted again. */
        RESTORING,
        /** They are all in MongoDB again, until operators want the month archived again. */
        RESTORED
    }

    /** The codes of the states in which MongoDB may lack some of the month's transactions. */
    public static final List<String> AWAY = List.of(State.ARCHIVED.code(), State.RESTORING.code());

    private ArchiveFields() {}

    /** The month of a transaction's creation, in UTC. */
    public static YearMonth month(TransactionId transaction) {
        return YearMonth.from(transaction.createdAt().atOffset(ZoneOffset.UTC));
    }

    /** The lowest id of a month, which is the end, exclusive, of the month before. */
    public static UUID lowest(YearMonth month) {
        return UuidV7.lowest(firstMilli(month));
    }

    /** When the month begins, in milliseconds of the epoch. */
    public static long firstMilli(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
