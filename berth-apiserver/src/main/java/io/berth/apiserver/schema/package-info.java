/// The shape of the served kinds: fields, their types, and how lists and maps merge. One set of
/// facts behind patches, decoding errors and the OpenAPI documents.
@NullMarked
package io.berth.apiserver.schema;

import org.jspecify.annotations.NullMarked;
