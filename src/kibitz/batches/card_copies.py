"""Copies and fills as loops over cells: LLVM would make cards move them byte by byte."""

import re

_COPY = re.compile(r"call void @llvm\.memcpy\.p0\.p0\.i64\((?=ptr [^,]*align 8 [^,]*, ptr [^,]*align 8 )")
_FILL = re.compile(r"call void @llvm\.memset\.p0\.i64\((?=ptr [^,]*align 8 )")
_LOOP = """
define internal void @{name}(ptr %to, {takes}, i64 %bytes, i1 %volatile) alwaysinline {{
start:
  {begin}
  %n = lshr i64 %bytes, 3
  %rest = and i64 %bytes, 7
  %whole = icmp eq i64 %rest, 0
  br i1 %whole, label %cells, label %other
other:
  call void @{intrinsic}(ptr %to, {takes}, i64 %bytes, i1 false)
  br label %end
cells:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %next
next:
  %k = phi i64 [ 0, %cells ], [ %after, %next ]
  %here = getelementptr i64, ptr %to, i64 %k
  {get}
  store i64 %cell, ptr %here, align 8
  %after = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %after, %n
  br i1 %done, label %end, label %next
end:
  ret void
}}
"""
_COPYING = _LOOP.format(
    name="copy_cells",
    takes="ptr %from",
    intrinsic="llvm.memcpy.p0.p0.i64",
    begin="",
    get="%there = getelementptr i64, ptr %from, i64 %k\n  %cell = load i64, ptr %there, align 8",
)
_FILLING = _LOOP.format(
    name="fill_cells",
    takes="i8 %byte",
    intrinsic="llvm.memset.p0.i64",
    begin="%wide = zext i8 %byte to i64",
    get="%cell = mul i64 %wide, 72340172838076673",  # the byte eight times
)


def with_cell_loops(module: str) -> str:
    """Return a module in which what is as long as some whole cells is copied and filled cell by cell."""
    module, copies = _COPY.subn("call void @copy_cells(", module)
    module, fills = _FILL.subn("call void @fill_cells(", module)
    return module + (_COPYING if copies else "") + (_FILLING if fills else "")
