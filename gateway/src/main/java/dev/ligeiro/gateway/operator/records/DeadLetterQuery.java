package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.request.QueryParameters;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A valid request to list dead letters: {@code ?topic=&after=&limit=}.
 *
 * @param after the list begins behind this id; null for the oldest
 * @param limit the largest number of dead letters in the response
 */
record DeadLetterQuery(DeadLetterTopic topic, @Nullable DeadLetterId after, int limit) {

    static final int LIMIT_MAX = 100;

    private static final Set<String> KNOWN = Set.of("topic", "after", "limit");
    private static final Pattern LIMIT = Pattern.compile("[0-9]{1,3}");

    static DeadLetterQuery parse(MultiValueMap<String, String> parameters) {
        QueryParameters given = new QueryParameters(parameters, KNOWN);
        DeadLetterTopic topic = given.requiredParsed("topic", DeadLetterTopic::parse);
        DeadLetterId after = given.parsed("after", DeadLetterId::parse);
        Integer limit = given.parsed("limit", DeadLetterQuery::limit);
        given.orThrow();
        if (topic == null) {
            throw new IllegalStateException("topic is missing without an error");
        }
        return new DeadLetterQuery(topic, after, limit == null ? LIMIT_MAX : limit);
    }

    private static Integer limit(String text) {
        if (LIMIT.matcher(text).matches()) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LIMIT_MAX) {
                return limit;
            }
        }
        throw new IllegalArgumentException("expected a number from 1 to " + LIMIT_MAX);
    }
}
