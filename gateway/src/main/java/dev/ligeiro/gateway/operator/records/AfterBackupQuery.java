package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.request.TimeText;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The query parameters {@code since} and {@code after} of the list of lost states, checked.
 *
 * @param since records before this time are not read: the backup has their effect
 * @param after null for the first page
 */
record AfterBackupQuery(Instant since, @Nullable RecordPosition after) {

    private static final Set<String> KNOWN = Set.of("since", "after");

    static AfterBackupQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, KNOWN);
        Instant since = given.requiredParsed("since", AfterBackupQuery::since);
        RecordPosition after = given.parsed("after", RecordPosition::parse);
        given.orThrow();
        if (since == null) {
            throw new IllegalStateException("since is missing without an error");
        }
        return new AfterBackupQuery(since, after);
    }

    private static Instant since(String text) {
        Instant since = TimeText.parse(text);
        if (since.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("expected a time after 1970");
        }
        return since;
    }
}
