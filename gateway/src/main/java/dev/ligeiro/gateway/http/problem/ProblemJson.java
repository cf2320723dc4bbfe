package dev.ligeiro.gateway.http.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A problem as {@code application/problem+json} (RFC 9457 §3). */
public final class ProblemJson {

    private static final String TYPE_PREFIX = "urn:ligeiro:problem:";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ProblemJson() {}

    /** @param path the path of the request, without its query */
    public static byte[] of(Problem problem, String path, String requestId) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", TYPE_PREFIX + problem.code().code());
        members.put("title", problem.code().title());
        members.put("status", problem.code().status().value());
        members.put("detail", problem.detail());
        members.put("instance", path);
        members.put("code", problem.code().code());
        members.put("request_id", requestId);
        members.putAll(problem.extensions());
        if (!problem.errors().isEmpty()) {
            members.put("errors", problem.errors());
        }
        return JSON.writeValueAsBytes(members);
    }
}
