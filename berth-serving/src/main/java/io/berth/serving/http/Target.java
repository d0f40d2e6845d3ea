package io.berth.serving.http;

import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;

/// What a request asks for, read as Go's server reads it: the path goes up to the first question
/// mark. A number sign is a letter like any other, since clients send no fragments.
///
/// @param text as it was sent
/// @param path up to the query, not decoded; empty where it names a host alone, as tunnels do
record Target(String text, String path, String query) {
    static Target of(Request request) {
        HttpURI uri = request.getHttpURI();
        String sent = uri.getPathQuery() == null ? "" : uri.getPathQuery();
        if (isTunnel(request) && sent.equals("/")) {
            return new Target(String.valueOf(uri.getAuthority()), "", "");
        }
        String text = uri.getFragment() == null ? sent : sent + "#" + uri.getFragment();
        int mark = text.indexOf('?');
        return mark < 0
                ? new Target(text, text, "")
                : new Target(text, text.substring(0, mark), text.substring(mark + 1));
    }

    static boolean isTunnel(Request request) {
        return HttpMethod.CONNECT.is(request.getMethod());
    }

    Map<String, List<String>> parameters() {
        return query.isEmpty() ? Map.of() : PercentCoding.parameters(query);
    }
}
